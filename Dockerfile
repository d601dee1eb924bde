# The check as an image; docs/releasing.md says how it is run.
# Name the base by the digest that you verified: docker build --build-arg PYTHON=python@sha256:...
ARG PYTHON=python:3.13-slim-bookworm
FROM ${PYTHON} AS build
WORKDIR /src
COPY requirements/run.txt requirements/run.txt
RUN python -I -m venv /opt/lockwarden \
  && /opt/lockwarden/bin/python -I -m pip install --no-cache-dir --require-hashes --only-binary :all: --requirement requirements/run.txt
COPY . .
RUN /opt/lockwarden/bin/python -I -m pip install --no-cache-dir --no-deps --no-build-isolation .

FROM ${PYTHON}
# Their versions are the distribution's, which mends them.
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install --yes --no-install-recommends git gnupg \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --create-home --uid 10001 lockwarden
COPY --from=build /opt/lockwarden /opt/lockwarden
USER 10001
WORKDIR /work
# The isolated mode: no module is taken from the folder that is looked at.
ENTRYPOINT ["/opt/lockwarden/bin/python", "-I", "-m", "lockwarden.cli", "check"]
