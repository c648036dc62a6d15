import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { hashFetched } from '../../../../containers/job/fetch/hash-fetched.ts'
import { temporaryDirectory } from '../../../support/node/directories.ts'

it('names the bytes of every file by the field of the request that names it', async () => {
  const folder = temporaryDirectory()
  const bytes = [Buffer.alloc(3_000_000, 1), Buffer.from('logo'), Buffer.from('font')]
  for (const [i, file] of bytes.entries()) await writeFile(path.join(folder, `in${i}`), file)
  const job = {
    inputs: [{ field: 'fileUrl', url: 'https://a/b.mp4', origin: 'customer' as const }],
  }
  const fetched = {
    sources: ['in0'],
    elements: ['in1', undefined, 'in1'],
    beside: new Map([['captions.font', 'in2']]),
  }
  const { signal } = new AbortController()
  const [source, logo, font] = bytes.map((file) => createHash('sha256').update(file).digest('hex'))
  expect(await hashFetched({ job, folder, signal }, fetched)).toEqual([
    { field: 'fileUrl', sha256: source },
    { field: 'elements[0].url', sha256: logo },
    { field: 'elements[2].url', sha256: logo },
    { field: 'captions.font', sha256: font },
  ])
})
