"""OCI mirrors: provider packages in the repositories of an OCI registry."""
