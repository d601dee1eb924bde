"""Files, programs and threads of this machine, hardened."""
