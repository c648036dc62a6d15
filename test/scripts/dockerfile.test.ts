import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildSources } from '../../scripts/host/ensure-built.ts'
import { ffmpegMajor } from '../../scripts/machine/ensure-ffmpeg.ts'
import { fontPackages } from '../../scripts/machine/ensure-fonts.ts'
import { root } from '../../scripts/machine/checkout.ts'
import { mediaWorkerEntry } from '../../scripts/start/parts/media-part.ts'
import { importGraph } from '../support/scripts/import-graph.ts'

const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const dockerfile = read('containers/Dockerfile')
const serviceDockerfile = read('self-hosting/Dockerfile')
const installed = read('containers/image/install-programs.sh')
const graph = importGraph(root, mediaWorkerEntry, 'containers/speech/local-speech.ts')

describe('containers/Dockerfile', () => {
  it('runs the file that npm start runs', () => {
    expect(dockerfile).toContain(`CMD ["node", "${mediaWorkerEntry}"]`)
  })

  it('has the ffmpeg and the fonts that npm start installs', () => {
    expect(installed).toMatch(new RegExp(`"ffmpeg=7:${ffmpegMajor}\\.\\d+\\.\\*"`))
    const [, named = ''] = /(fonts-.+?) ca-certificates/.exec(installed) ?? []
    expect(named.split(' ')).toEqual(Object.keys(fontPackages))
  })

  it('has the system of the image of a whole service, so that both are built from the same layers', () => {
    const systemOf = (text: string) => {
      const from = text.indexOf('COPY containers/image containers/image')
      return text.slice(text.lastIndexOf('FROM', from), text.indexOf('strip-system.sh'))
    }
    expect(systemOf(dockerfile)).toContain('install-programs.sh')
    expect(systemOf(serviceDockerfile)).toBe(systemOf(dockerfile))
  })

  it('has the Node that package.json names', () => {
    const manifest = JSON.parse(read('package.json')) as { devDependencies: { node: string } }
    const images = [...dockerfile.matchAll(/^FROM (node:\S+)/gm)].map(([, image]) => image)
    const expected = `node:${manifest.devDependencies.node}-bookworm-slim`
    expect(images.map((image = '') => image.replace(/@.*$/, ''))).toEqual([expected, expected])
  })

  it('names its base by digest, the same everywhere, because a tag may be another image tomorrow', () => {
    const named = [dockerfile, serviceDockerfile].flatMap((text) =>
      [...text.matchAll(/^FROM (node:\S+)/gm)].map(([, image]) => image),
    )
    expect(named).toHaveLength(3)
    expect(new Set(named).size).toBe(1)
    expect(named[0]).toMatch(/@sha256:[0-9a-f]{64}$/)
  })

  it('copies every file that the media worker imports', () => {
    const copied = ['worker/contract', 'containers']
    for (const folder of copied) expect(dockerfile).toContain(`\nCOPY ${folder} ${folder}\n`)
    const missing = [...graph.files].filter(
      (file) => !copied.some((folder) => file.startsWith(`${folder}/`)),
    )
    expect(missing).toEqual([])
    expect(graph.files.size).toBeGreaterThan(10)
  })

  it('keeps the packages that the media worker imports, and no other', () => {
    expect(keptBy(dockerfile)).toEqual([...graph.packages].sort())
  })

  it('runs as a user without privileges and answers /health on the port it opens', () => {
    expect(dockerfile).toMatch(/^USER node$/m)
    expect(dockerfile).toMatch(/^EXPOSE 8080$/m)
    expect(dockerfile).toContain('MEDIA_HOST=0.0.0.0 MEDIA_PORT=8080')
    expect(dockerfile).toContain("fetch('http://127.0.0.1:8080/health')")
  })
})

it('self-hosting/Dockerfile keeps the packages that a running service and its commands import, and no other', () => {
  const { packages } = importGraph(root, ...serviceEntries)
  // Only the bundling needs it, which the image has behind it.
  packages.delete('wrangler')
  for (const name of graph.packages) packages.add(name)
  expect(keptBy(serviceDockerfile)).toEqual([...packages].sort())
})

const serviceEntries = ['start', 'host/main', 'admin', 'media-worker', 'models'].map(
  (name) => `scripts/${name}.ts`,
)

/** The `[build]` command of wrangler.toml, which an image runs while it is made. */
const [bundler = ''] = /scripts\/\S+\.ts/.exec(read('wrangler.toml')) ?? []

/** The packages that `keep-packages.mjs` is told to keep, in their order. */
function keptBy(text: string): string[] {
  const [, named = ''] = /keep-packages\.mjs \\\n((?:\\\n|[\w@/. -])+)/.exec(text) ?? []
  return named.split(/[\s\\]+/).filter((name) => name !== '')
}

describe('.dockerignore', () => {
  const [first, ...named] = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const admitted = named.filter((line) => line.startsWith('!')).map((line) => line.slice(1))

  it('admits only what it names, and of that only what is there', () => {
    expect(first).toBe('*')
    expect(admitted.filter((name) => !existsSync(path.join(root, name)))).toEqual([])
    expect(admitted.filter((name) => ['.spool', 'node_modules', '.git'].includes(name))).toEqual([])
  })

  it('admits all that the Worker is bundled from, and all that a service runs', () => {
    const isAdmitted = (file: string) =>
      admitted.some((name) => file === name || file.startsWith(`${name}/`))
    const bundled = buildSources().map((file) => path.relative(root, file))
    expect(bundled.filter((file) => !isAdmitted(file))).toEqual([])
    const entries = [...serviceEntries, bundler, 'worker/index.ts', mediaWorkerEntry]
    const { files } = importGraph(root, ...entries)
    expect([...files].filter((file) => !isAdmitted(file))).toEqual([])
  })
})
