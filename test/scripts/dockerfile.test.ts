import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ffmpegMajor } from '../../scripts/machine/ensure-ffmpeg.ts'
import { fontPackages } from '../../scripts/machine/ensure-fonts.ts'
import { root } from '../../scripts/machine/checkout.ts'
import { mediaWorkerEntry } from '../../scripts/start/parts/media-part.ts'
import { importGraph, withDependencies, type Lockfile } from '../support/scripts/import-graph.ts'

const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const dockerfile = read('containers/Dockerfile')
const lock = JSON.parse(read('package-lock.json')) as Lockfile
const graph = importGraph(root, mediaWorkerEntry, 'containers/speech/local-speech.ts')

describe('containers/Dockerfile', () => {
  it('runs the file that npm start runs', () => {
    expect(dockerfile).toContain(`CMD ["node", "${mediaWorkerEntry}"]`)
  })

  it('has the ffmpeg that npm start asks for', () => {
    expect(dockerfile).toMatch(new RegExp(`"ffmpeg=7:${ffmpegMajor}\\.\\d+\\.\\*"`))
  })

  it('has the fonts that npm start installs, as the image of a whole service has', () => {
    for (const file of ['containers/Dockerfile', 'self-hosting/Dockerfile']) {
      const [, named = ''] = /(fonts-[^&]+?)(?: ca-certificates)? tini/.exec(read(file)) ?? []
      expect(named.split(' '), file).toEqual(Object.keys(fontPackages))
    }
  })

  it('has the Node that package.json names', () => {
    const manifest = JSON.parse(read('package.json')) as { devDependencies: { node: string } }
    const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image)
    const expected = `node:${manifest.devDependencies.node}-bookworm-slim`
    expect(images.map((image = '') => image.replace(/@.*$/, ''))).toEqual([expected, expected])
  })

  it('names its base by digest, the same everywhere, because a tag may be another image tomorrow', () => {
    const digests = [...dockerfile.matchAll(/^FROM \S+?@(\S+)/gm)].map(([, digest]) => digest)
    expect(digests).toHaveLength([...dockerfile.matchAll(/^FROM /gm)].length)
    expect(new Set(digests).size).toBe(1)
    expect(digests[0]).toMatch(/^sha256:[0-9a-f]{64}$/)
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

  it('keeps every package that the media worker imports, and no other', () => {
    const removed = (/rm -rf (.+)/.exec(dockerfile)?.[1] ?? '').split(' ')
    const isRemoved = (name: string) =>
      removed.some((entry) => name === entry || name.startsWith(`${entry}/`))
    const installed = Object.entries(lock.packages)
      .filter(([place, { dev }]) => place !== '' && dev !== true)
      .map(([place]) => place.replace(/^.*node_modules\//, ''))
    const kept = new Set(installed.filter((name) => !isRemoved(name)))
    expect(kept).toEqual(withDependencies(lock, graph.packages))
  })

  it('runs as a user without privileges and answers /health on the port it opens', () => {
    expect(dockerfile).toMatch(/^USER node$/m)
    expect(dockerfile).toMatch(/^EXPOSE 8080$/m)
    expect(dockerfile).toContain('MEDIA_HOST=0.0.0.0 MEDIA_PORT=8080')
    expect(dockerfile).toContain("fetch('http://127.0.0.1:8080/health')")
  })

  it('has an ignore file that admits only the files it names', () => {
    const [first] = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    expect(first).toBe('*')
  })
})
