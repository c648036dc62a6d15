#!/bin/sh
# The docker command that wrangler is given. Without buildx it leaves out the options that only buildx knows, and it
# pulls no image that is here: some are made on this machine, and stand in no registry.
: "${SPOOL_DOCKER:?}" "${SPOOL_HAS_BUILDX:?}"
case $1 in
  build)
    if [ "$SPOOL_HAS_BUILDX" = yes ]; then exec "$SPOOL_DOCKER" "$@"; fi
    export DOCKER_BUILDKIT=0
    before=
    for argument in "$@"; do
      shift
      case "$before $argument" in
        *' --load' | *' --provenance='* | *' --platform' | '--platform '*) ;;
        *) set -- "$@" "$argument" ;;
      esac
      before=$argument
    done
    ;;
  pull)
    if "$SPOOL_DOCKER" image inspect "$2" >/dev/null 2>&1; then exit 0; fi
    ;;
esac
exec "$SPOOL_DOCKER" "$@"
