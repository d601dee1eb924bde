"""The OCI distribution protocol: what registries of container images and other artifacts speak."""
