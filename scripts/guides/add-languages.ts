type Language = {
  readonly indent: string
  /** Between the braces of an object on one line and what is in it. */
  readonly pad: string
  readonly key: (name: string) => string
  readonly word: (value: unknown) => string
}

const typeScript: Language = {
  indent: '  ',
  pad: ' ',
  key: (name) => name,
  word: (value) =>
    JSON.stringify(value).replace(/^"([^'"\\]*)"$/, (_, text: string) => `'${text}'`),
}

const named: ReadonlyMap<unknown, string> = new Map([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
] as const)
const python: Language = {
  indent: '    ',
  pad: '',
  key: (name) => JSON.stringify(name),
  word: (value) => named.get(value) ?? JSON.stringify(value),
}

const longestLine = 80

/** A command in a block of the kind `sh tabs` creates a video; programs that do the same follow it. */
export function addLanguages(markdown: string): string {
  return markdown.replaceAll(/^```sh tabs\n([\s\S]*?)^```$/gm, (_, command: string) => {
    const body = /^curl "\$SPOOL_BASE_URL\/v1\/videos".* -d '(\{.*\})'\n$/s.exec(command)?.[1]
    if (body === undefined) throw new Error(`A command that creates no video:\n${command}`)
    const request = JSON.parse(body) as Record<string, unknown>
    const blocks = { sh: command, ts: inTypeScript(request), python: inPython(request) }
    return Object.entries(blocks)
      .map(([lang, code]) => `\`\`\`${lang}\n${code}\`\`\``)
      .join('\n\n')
  })
}

function inTypeScript(request: Record<string, unknown>): string {
  const shown = request['outputs']
    ? 'for (const { name, url } of video.outputs ?? []) console.log(name, url)'
    : 'console.log(video.finalVideoUrl)'
  return `import { Spool } from 'spool-video'

const spool = new Spool() // reads SPOOL_BASE_URL and SPOOL_API_KEY
const { videoId } = await spool.videos.create(${literalOf(request, typeScript)})
const video = await spool.videos.wait(videoId)
${shown}
`
}

function inPython(request: Record<string, unknown>): string {
  const shown = request['outputs']
    ? 'print(video["status"], [output.get("url") for output in video["outputs"]])'
    : 'print(video["status"], video.get("finalVideoUrl"))'
  return `import json, os, time, urllib.request

def call(path, body=None):
    request = urllib.request.Request(
        os.environ["SPOOL_BASE_URL"] + path,
        json.dumps(body).encode() if body else None,
        {"Authorization": "Bearer " + os.environ["SPOOL_API_KEY"], "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)

video = call("/v1/videos", ${literalOf(request, python)})
while (video := call("/v1/videos/" + video["videoId"]))["status"] in ("queued", "running"):
    time.sleep(1)
${shown}
`
}

/** On one line where it fits, but the whole request never is. */
function literalOf(value: unknown, language: Language, depth = 0): string {
  const { indent, pad, key, word } = language
  if (typeof value !== 'object' || value === null) return word(value)
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((one) => literalOf(one, language, depth + 1))
    : Object.entries(value).map(
        ([name, one]) => `${key(name)}: ${literalOf(one, language, depth + 1)}`,
      )
  const line = isList ? `[${parts.join(', ')}]` : `{${pad}${parts.join(', ')}${pad}}`
  const isShort = line.length + depth * indent.length <= longestLine && !line.includes('\n')
  if (depth > 0 && isShort) return line
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  const rows = parts.map((part) => `${indent.repeat(depth + 1)}${part},\n`)
  return `${open}\n${rows.join('')}${indent.repeat(depth)}${close}`
}
