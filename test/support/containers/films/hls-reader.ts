import assert from 'node:assert/strict'

/** Attributes of a tag, without the quotes of those that have any. */
type Attributes = Readonly<Record<string, string>>

type ListedSegment = {
  readonly uri: string
  readonly offset: number
  readonly bytes: number
  readonly seconds: number
}

export type MediaList = {
  /** Bytes of the boxes before all segments; undefined of captions. */
  readonly headBytes: number | undefined
  readonly segments: readonly ListedSegment[]
  readonly target: number
  readonly isKeysOnly: boolean
}

type Variant = { readonly uri: string; readonly attributes: Attributes }
type MasterList = {
  readonly variants: readonly Variant[]
  readonly media: readonly Attributes[]
  readonly keys: readonly Attributes[]
}

const attributePattern = /([A-Z0-9-]+)=("[^"\n\r]*"|[^",]+)(?:,|$)/y

function attributesOf(text: string): Attributes {
  const found: Record<string, string> = {}
  attributePattern.lastIndex = 0
  while (attributePattern.lastIndex < text.length) {
    const match = attributePattern.exec(text)
    assert(match, `not a list of attributes: ${text}`)
    const [, name = '', value = ''] = match
    assert(!(name in found), `${name} twice in ${text}`)
    found[name] = value.replace(/^"|"$/g, '')
  }
  return found
}

function linesOf(text: string): string[] {
  assert(!text.startsWith('\uFEFF'), 'has a byte order mark')
  assert(!text.includes('\r'), 'has carriage returns')
  const lines = text.split('\n')
  assert.equal(lines[0], '#EXTM3U', 'does not begin with #EXTM3U')
  assert.equal(lines.pop(), '', 'does not end with a line break')
  assert(
    lines.every((line) => line !== '' && line.trim() === line),
    'has an empty or padded line',
  )
  return lines
}

const relative = /^[a-z0-9]+\.(m3u8|mp4|vtt)$/

/** Reads the first playlist of a stream, and throws if RFC 8216 forbids anything of it. */
export function readMaster(text: string): MasterList {
  const lines = linesOf(text)
  const once = new Set(['#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS'])
  const [variants, media, keys]: [Variant[], Attributes[], Attributes[]] = [[], [], []]
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i] ?? ''
    const [tag, rest] = [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]
    if (once.delete(line)) continue
    if (tag === '#EXT-X-STREAM-INF') variants.push(variantOf(attributesOf(rest), lines[++i] ?? ''))
    else if (tag === '#EXT-X-MEDIA') media.push(mediaOf(attributesOf(rest)))
    else if (tag === '#EXT-X-I-FRAME-STREAM-INF') keys.push(keysOf(attributesOf(rest)))
    else assert.fail(`a line that does not belong there: ${line}`)
  }
  assert.deepEqual([...once], [], 'lacks tags')
  assert(variants.length > 0, 'has no size')
  for (const { attributes } of variants) {
    for (const [name, type] of [
      ['AUDIO', 'AUDIO'],
      ['SUBTITLES', 'SUBTITLES'],
    ] as const) {
      const groups = media.filter(({ TYPE }) => TYPE === type).map((one) => one['GROUP-ID'])
      assert.deepEqual([...new Set(groups)], [attributes[name]].filter(Boolean), `${name} groups`)
    }
    const codecs = attributes['CODECS']?.split(',') ?? []
    assert.equal(codecs.length, attributes['AUDIO'] === undefined ? 1 : 2)
  }
  return { variants, media, keys }
}

function variantOf(attributes: Attributes, uri: string): Variant {
  assert.match(uri, relative)
  heldBits(attributes)
  assert.match(attributes['CODECS'] ?? '', /^avc1\.(64|4d|42)[0-9a-f]{4}(,mp4a\.40\.2)?$/, 'CODECS')
  assert.match(attributes['FRAME-RATE'] ?? '', /^\d+\.\d{3}$/)
  assert.equal(attributes['CLOSED-CAPTIONS'], 'NONE')
  return { uri, attributes }
}

function heldBits(attributes: Attributes): void {
  const [peak, average] = ['BANDWIDTH', 'AVERAGE-BANDWIDTH'].map((name) => {
    assert.match(attributes[name] ?? '', /^[1-9]\d*$/, name)
    return Number(attributes[name])
  })
  assert((average ?? 0) <= (peak ?? 0), 'takes more on average than at most')
  assert.match(attributes['RESOLUTION'] ?? '', /^[1-9]\d*x[1-9]\d*$/)
}

function mediaOf(attributes: Attributes): Attributes {
  for (const name of ['GROUP-ID', 'NAME']) assert(attributes[name], name)
  assert.match(attributes['URI'] ?? '', relative)
  for (const name of ['DEFAULT', 'AUTOSELECT']) assert.match(attributes[name] ?? '', /^(YES|NO)$/)
  if (attributes['TYPE'] === 'AUDIO') assert.match(attributes['CHANNELS'] ?? '', /^\d$/)
  else assert.equal(attributes['TYPE'], 'SUBTITLES')
  return attributes
}

function keysOf(attributes: Attributes): Attributes {
  heldBits(attributes)
  assert.match(attributes['URI'] ?? '', relative)
  return attributes
}

/** Reads the playlist of one film, of the sound, of the captions or of key pictures. */
export function readMediaList(text: string): MediaList {
  const lines = linesOf(text)
  assert.equal(lines.pop(), '#EXT-X-ENDLIST')
  const segments: ListedSegment[] = []
  const tags = new Map<string, string>()
  let duration: number | undefined
  let range: RegExpExecArray | null | undefined
  for (const line of lines.slice(1)) {
    const inf = /^#EXTINF:(\d+\.\d+),$/.exec(line)
    if (inf) duration = Number(inf[1])
    else if (line.startsWith('#EXT-X-BYTERANGE:')) {
      range = /^#EXT-X-BYTERANGE:([1-9]\d*)@(\d+)$/.exec(line)
      assert(range, line)
    } else if (line.startsWith('#')) {
      assert.equal(segments.length + (duration ?? 0), 0, `comes after a segment: ${line}`)
      const [tag = '', ...rest] = line.split(':')
      assert(!tags.has(tag), `${tag} twice`)
      tags.set(tag, rest.join(':'))
    } else {
      assert.match(line, relative)
      assert(duration !== undefined && duration > 0, 'a segment without its length')
      const [bytes, offset] = [Number(range?.[1] ?? 0), Number(range?.[2] ?? 0)]
      segments.push({ uri: line, offset, bytes, seconds: duration })
      ;[duration, range] = [undefined, undefined]
    }
  }
  return { ...headOf(tags), segments: inOrder(segments, tags) }
}

function headOf(tags: Map<string, string>): Omit<MediaList, 'segments'> {
  const known = ['VERSION', 'TARGETDURATION', 'MEDIA-SEQUENCE', 'PLAYLIST-TYPE'].concat([
    'INDEPENDENT-SEGMENTS',
    'MAP',
    'I-FRAMES-ONLY',
  ])
  for (const tag of tags.keys()) assert(known.includes(tag.replace('#EXT-X-', '')), tag)
  assert.equal(tags.get('#EXT-X-VERSION'), '7')
  assert.equal(tags.get('#EXT-X-PLAYLIST-TYPE'), 'VOD')
  assert.equal(tags.get('#EXT-X-MEDIA-SEQUENCE'), '0')
  const map = tags.get('#EXT-X-MAP')
  const { URI, BYTERANGE } = map === undefined ? {} : attributesOf(map)
  const headBytes = map === undefined ? undefined : Number(BYTERANGE?.replace(/@0$/, ''))
  if (map !== undefined) assert(URI && Number.isInteger(headBytes), map)
  const target = Number(tags.get('#EXT-X-TARGETDURATION'))
  assert(Number.isInteger(target) && target > 0, 'TARGETDURATION')
  return { headBytes, target, isKeysOnly: tags.has('#EXT-X-I-FRAMES-ONLY') }
}

function inOrder(segments: ListedSegment[], tags: Map<string, string>): ListedSegment[] {
  assert(segments.length > 0, 'has no segment')
  const target = Number(tags.get('#EXT-X-TARGETDURATION'))
  for (const { seconds } of segments) assert(Math.round(seconds) <= target, 'a segment too long')
  for (const [i, { offset, bytes, uri }] of segments.entries()) {
    const before = segments[i - 1]
    if (!before || tags.get('#EXT-X-MAP') === undefined) continue
    assert.equal(uri, before.uri)
    assert(offset >= before.offset + before.bytes && bytes > 0, 'segments overlap')
  }
  return segments
}
