import { send } from '../client.ts'

/** What a page may take of a slow connection, compressed: itself with its style, and all of its scripts. */
export const mostPageBytes = 72_000

async function compressedSize(text: string): Promise<number> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  return (await new Response(stream).arrayBuffer()).byteLength
}

/** The scripts that a page names, and whatever they import, each once. */
async function scriptsOf(html: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const waiting = [...html.matchAll(/<script type="module" src="([^"]+)"/g)].map(([, src]) => src)
  for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
    if (found.has(address)) continue
    const { status, text } = await send(address)
    if (status !== 200) throw new Error(`${address}: ${status}`)
    found.set(address, text)
    for (const [, name] of text.matchAll(/(?:from|import)\s*"\.\/([\w-]+\.js)"/g)) {
      waiting.push(`/scripts/${name ?? ''}`)
    }
  }
  return found
}

export async function pageWeight(html: string): Promise<{ bytes: number; scripts: string[] }> {
  const scripts = await scriptsOf(html)
  const sizes = await Promise.all([html, ...scripts.values()].map(compressedSize))
  return { bytes: sizes.reduce((sum, size) => sum + size, 0), scripts: [...scripts.keys()] }
}
