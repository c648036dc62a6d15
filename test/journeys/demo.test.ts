import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { root } from '../../scripts/machine/checkout.ts'
import { directoryForAll } from '../support/node/directories.ts'

const out = directoryForAll()

describe('npm run demo', { tags: 'campaign' }, () => {
  it('leaves a page with its media, and a service that has ended', async () => {
    const demo = spawn(process.execPath, ['scripts/demo.ts', '--out', out], { cwd: root })
    const [printed, said, [code]] = await Promise.all([
      text(demo.stdout),
      text(demo.stderr),
      once(demo, 'close') as Promise<[number | null]>,
    ])
    expect({ code, said }).toMatchObject({ code: 0 })
    expect(printed).toBe(`Open ${path.join(out, 'index.html')}\n`)
    const page = await readFile(path.join(out, 'index.html'), 'utf8')
    // Pauses were found, and somebody was understood.
    expect(page).toContain('class="snip"')
    expect(page).toMatch(/fellow.*country/is)
    expect(page).toContain('its signature is right')
    for (const file of ['before.mp4', 'talk.mp4', 'phone.mp4', 'small.webm', 'poster.jpg']) {
      expect((await stat(path.join(out, file))).size).toBeGreaterThan(1000)
    }
    const [, address = ''] = /Started a service at (\S+)/.exec(said) ?? []
    await expect(fetch(address)).rejects.toThrow('fetch failed')
  })
})
