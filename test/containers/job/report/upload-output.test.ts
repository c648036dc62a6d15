import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { contentTypeOf, uploadOutput } from '../../../../containers/job/report/upload-output.ts'
import { pictureFormats } from '../../../../worker/contract/options/outputs/output-pictures.ts'
import { transcriptFormats } from '../../../../worker/contract/video/transcript.ts'
import { etagOf, reportKey, type ReceiverOptions } from '../../../support/containers/receiver.ts'
import { aFolder } from '../../../support/containers/tool-context.ts'
import { aReceiver } from '../../../support/containers/service-for-all.ts'

async function upload(bytes: Buffer, options: ReceiverOptions, key = reportKey) {
  const receiver = await aReceiver(options)
  const file = path.join(await aFolder(), 'out.mp4')
  await writeFile(file, bytes)
  const shares: number[] = []
  const output = uploadOutput({
    job: { fence: 2, reports: { url: receiver.reportsUrl, key, heartbeatSeconds: 10 } },
    file,
    output: { kind: 'final', extension: 'mp4' },
    signal: new AbortController().signal,
    backoffMs: [1, 1],
    onProgress: (share) => shares.push(share),
  })
  return { receiver, output, shares }
}

describe('uploadOutput', () => {
  it('uploads the file in parts and returns their tags', async () => {
    const bytes = randomBytes(1_050)
    const { receiver, output, shares } = await upload(bytes, { partSizeBytes: 100 })
    const { parts, ...rest } = await output
    expect(rest).toEqual({ kind: 'final', sizeBytes: 1_050 })
    expect(parts).toHaveLength(11)
    expect(parts.at(-1)).toEqual({ partNumber: 11, etag: etagOf(bytes.subarray(1_000)) })
    expect(receiver.output().equals(bytes)).toBe(true)
    expect(receiver.outputRequests).toEqual([
      { fence: 2, kind: 'final', extension: 'mp4', contentType: 'video/mp4', sizeBytes: 1_050 },
    ])
    expect(shares.at(-1)).toBe(1)
  })

  it.each(['mp4', 'mov', 'avi', 'webm', 'mp3', 'm4a', 'wav', 'flac', 'ogg'])(
    'stores a %s as a film or a sound',
    (extension) => {
      expect(contentTypeOf(extension)).toMatch(/^(video|audio)\//)
    },
  )

  it.each([...pictureFormats.filter((format) => format !== 'sprite'), ...transcriptFormats])(
    'stores a %s as a picture or a text',
    (extension) => {
      expect(contentTypeOf(extension)).toMatch(/^(image|text|application)\//)
    },
  )

  it('uploads a part again after a refusal', async () => {
    const bytes = randomBytes(250)
    const { receiver, output } = await upload(bytes, { partSizeBytes: 100, refusalsPerPart: 2 })
    await output
    expect(receiver.output().equals(bytes)).toBe(true)
  })

  it('fails with storage_failed if a part is never accepted', async () => {
    const { output } = await upload(randomBytes(50), { refusalsPerPart: 10 })
    await expect(output).rejects.toMatchObject({ reason: 'storage_failed', retryable: true })
  })

  it('ends the job if the Worker no longer knows it', async () => {
    const { output } = await upload(randomBytes(50), {}, 'another-key')
    await expect(output).rejects.toMatchObject({ stopReason: 'stopped' })
  })
})
