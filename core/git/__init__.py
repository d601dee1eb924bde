"""Reads git repositories safely: lock files at a revision, and which revisions there are to compare with.

A repository's configuration and attributes can name programs for nearly everything that git does, and whoever made
the repository wrote them. So nothing here lets git look at the working tree or the index, make a patch, talk to
another machine or write: hooks, filters, text conversion, difference programs, the file system monitor, the pager,
signature programs and aliases have no part in what is left. The few commands in use (`cat-file`, `ls-tree`,
`rev-list`, `rev-parse`, `for-each-ref`, `symbolic-ref`, `config --get`, `var`) read raw objects, references and
settings; `program` closes what they could still start.
"""
