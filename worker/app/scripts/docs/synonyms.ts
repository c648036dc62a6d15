/** Words that people search for, and the words that the pages use for the same. */
const groups: readonly (readonly [asked: string, written: string])[] = [
  ['subtitle subtitles subtitling closed-captions cc srt vtt', 'captions'],
  ['caption', 'captions'],
  ['burn burned hardcode hardsub', 'burn captions'],
  ['trim shorten crop-time split clip-out', 'cut removeSegments keepSegments trim'],
  ['shorts short reels reel tiktok portrait upright', 'vertical'],
  ['aspect ratio resize dimensions square shape', 'aspectRatio'],
  ['watermark branding brand overlay overlays pip', 'logo elements'],
  ['censor pixelate pixelise obscure redact anonymize anonymise', 'blur'],
  ['slowmotion slowmo timelapse', 'speed'],
  ['dub dubbing voiceover', 'replaceUrl'],
  ['mute silent soundless', 'disableAudio'],
  ['compress compression smaller filesize bitrate shrink', 'compressionQuality'],
  ['merge concat concatenate stitch combine append', 'join'],
  ['denoise hiss hum noise', 'removeNoise'],
  ['loudness volume normalize normalise lufs level', 'normalizeAudio'],
  ['um uh filler fillers', 'removeFillers'],
  ['diarization diarisation diarize who', 'speakers'],
  ['pauses silence silences jumpcut jump-cut deadair', 'removeSilence'],
  ['transcribe transcription stt asr', 'transcript'],
  ['thumbnail poster preview-image screenshot cover', 'still enableThumbnail'],
  ['hmac signing signed verify verification', 'signature'],
  ['callback callbacks notification notify push', 'webhook'],
  ['token credentials auth authentication apikey', 'key'],
  ['poll polling progress status', 'watch'],
  ['quota throttle throttling 429', 'limit'],
  ['retries duplicate idempotent idempotency', 'Idempotency-Key'],
  ['gpu nvidia nvenc cuda hardware', 'processor cores'],
  ['zapier make n8n nocode automation', 'n8n'],
  ['presigned multipart chunked chunks resumable large big', 'parts'],
  ['mcp claude chatgpt cursor llm ai-agent', 'agents'],
  ['sdk library javascript node', 'client'],
  ['terminal shell cli bash', 'command line'],
  ['docker compose vps selfhost selfhosted', 'server of your own'],
  ['gdpr erase retention', 'delete'],
  ['translate language languages', 'language'],
  ['bgm soundtrack song', 'music'],
  ['summary tags describe summarize summarise', 'analysis'],
  ['price pricing cost costs', 'usage'],
  ['s3 r2 gcs', 'bucket'],
  ['template templates', 'preset'],
]

const written = new Map(
  groups.flatMap(([asked, words]) => asked.split(' ').map((word) => [word, words] as const)),
)

/** The words of a search, each with its synonyms. Words without a meaning of their own are left out. */
export function synonymsOf(text: string): string[][] {
  const plain = text
    .toLowerCase()
    .replaceAll(/\bjump.?cuts?\b|\bdead.?air\b/g, 'jumpcut')
    .replaceAll(/\bslow.?mo(?:tion)?\b/g, 'slowmotion')
    .replaceAll(/\bvoice.over\b/g, 'voiceover')
    .replaceAll(/\bpicture.in.picture\b/g, 'pip')
    .replaceAll(/\b(?:speech|voice|audio).to.text\b/g, 'transcribe')
    .replaceAll(/\bclosed.captions?\b/g, 'subtitles')
  const words = plain.split(/[^\p{L}\p{N}_:-]+/u).filter((word) => word !== '')
  const telling = words.filter((word) => !hollow.has(word))
  return (telling.length > 0 ? telling : words).map((word) => {
    const meant = written.get(word) ?? written.get(word.replace(/s$/, ''))
    return meant === undefined ? [word] : [...new Set([word, ...meant.split(' ')])]
  })
}

const hollow = new Set(
  'a an and are can do does for from get how i in into is it me my of on or the this to use with you your'.split(
    ' ',
  ),
)
