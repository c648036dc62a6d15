#!/bin/sh
# Hands the secrets of this container over through a file descriptor. Other processes of the same user can read the
# environment of a process in /proc as long as it lives; once this shell has become tini, no environment holds them.
exec 3<<END
MEDIA_WORKER_TOKEN=${MEDIA_WORKER_TOKEN-}
OPENAI_API_KEY=${OPENAI_API_KEY-}
CLOUDFLARE_API_TOKEN=${CLOUDFLARE_API_TOKEN-}
DEEPGRAM_API_KEY=${DEEPGRAM_API_KEY-}
ASSEMBLYAI_API_KEY=${ASSEMBLYAI_API_KEY-}
END
unset MEDIA_WORKER_TOKEN OPENAI_API_KEY CLOUDFLARE_API_TOKEN DEEPGRAM_API_KEY ASSEMBLYAI_API_KEY
export MEDIA_SECRETS_FD=3
exec tini -- "$@"
