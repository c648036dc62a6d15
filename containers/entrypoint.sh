#!/bin/sh
# Hands the secrets of this container over by a descriptor. What stands in the environment of a process can be read in
# /proc by every other one of the same user, for as long as it lives; once this shell has become tini, none has them.
exec 3<<END
MEDIA_WORKER_TOKEN=${MEDIA_WORKER_TOKEN-}
OPENAI_API_KEY=${OPENAI_API_KEY-}
CLOUDFLARE_API_TOKEN=${CLOUDFLARE_API_TOKEN-}
END
unset MEDIA_WORKER_TOKEN OPENAI_API_KEY CLOUDFLARE_API_TOKEN
export MEDIA_SECRETS_FD=3
exec tini -- "$@"
