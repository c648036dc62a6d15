import { createUpload } from '../../contract/direct-upload.ts'
import { closedObject } from '../../contract/input/closed-object.ts'
import { uploadId } from '../../contract/ids.ts'
import type { OpenedUpload, UploadRecord } from '../../upload/direct-upload.ts'
import { tellRefusal } from '../say/tell-refusal.ts'
import { checkedTool } from '../checked-tool.ts'
import type { ToolAnswer } from '../tool.ts'

/** The addresses of parts are most of an answer, so it has no more than this; a larger file takes several calls. */
const partsAtOnce = 20

const { fileName, sizeInBytes } = createUpload.shape
const input = closedObject({
  fileName: fileName.optional(),
  sizeInBytes: sizeInBytes.optional(),
  uploadId: uploadId
    .optional()
    .describe('Instead of the other two: addresses of the parts still missing'),
})

export const openUpload = checkedTool(input, {
  name: 'open_upload',
  title: 'Open an upload',
  description:
    'For a video file that has no address: answers where to PUT its bytes (with curl, no key needed) and what to do then. Needs fileName and sizeInBytes. Use fileUrl in make_video instead if the file has an address.',
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  async run({ uploadId, ...announced }, { ask }) {
    const answer = await ask(
      uploadId === undefined
        ? { route: 'createUpload', body: announced }
        : { route: 'getUpload', at: { uploadId } },
    )
    if (!answer.ok) return tellRefusal(answer)
    return sayUpload(await answer.json<OpenedUpload | UploadRecord>())
  },
})

function sayUpload(upload: OpenedUpload | UploadRecord): ToolAnswer {
  const { uploadId, partSize, expiresAt } = upload
  const parts = upload.parts.slice(0, partsAtOnce)
  const next =
    upload.parts.length > parts.length
      ? `send these parts, then call open_upload with uploadId ${uploadId} for the addresses of the next.`
      : `${parts.length > 0 ? 'send it, then ' : ''}call make_video with uploadId ${uploadId} and your options.`
  const commands = parts.map(({ partNumber, url }) => sayCommand(partNumber, url, partSize))
  const lines =
    'status' in upload && upload.status !== 'open'
      ? [`The upload ${uploadId} is ${upload.status}.${upload.message ? ` ${upload.message}` : ''}`]
      : [
          `The upload ${uploadId} is open until ${expiresAt}. With FILE set to the path, run:`,
          ...commands,
        ]
  return {
    text: [...lines, `Next: ${next}`].join('\n'),
    data: { uploadId, partSize, parts, missingParts: upload.parts.length, expiresAt, next },
  }
}

/** Every part but the last has the same length; the last is the rest. */
function sayCommand(partNumber: number, url: string, partSize: number): string {
  const cut = `dd if="$FILE" bs=${partSize} skip=${partNumber - 1} count=1 status=none`
  return `${cut} | curl -sS --fail-with-body --data-binary @- -X PUT '${url}'`
}
