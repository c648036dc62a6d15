import { AppError, invalidRequest } from '../contract/answers/errors.ts'
import {
  knownVideos,
  knownSounds,
  sniffFormat,
  type SoundSource,
  type SourceFormat,
} from '../contract/video/sniff-format.ts'
import type { PartHead } from './part-headers.ts'

const supported = `Supported are ${knownVideos}, and ${knownSounds} as sound alone`

/** The media type of an uploaded file: a source, or a picture that is laid over one or becomes a clip. */
export async function judgeUploaded(bytes: Uint8Array): Promise<string> {
  const sniffed = await sniffFormat(bytes)
  if (sniffed.kind === 'picture')
    return `image/${sniffed.format === 'jpg' ? 'jpeg' : sniffed.format}`
  const format = await judgeFile({ isFile: true }, bytes)
  return `${sniffed.kind === 'sound' ? 'audio' : 'video'}/${format}`
}

/** Detects the format from the leading bytes and refuses what is not supported. The file's name does not matter. */
export async function judgeFile(
  head: Pick<PartHead, 'isFile'>,
  bytes: Uint8Array,
): Promise<SourceFormat | SoundSource> {
  if (bytes.length === 0) throw refuse('Must not be empty')
  const sniffed = await sniffFormat(bytes)
  switch (sniffed.kind) {
    case 'video':
    case 'sound':
      return sniffed.format
    case 'picture':
    case 'other': {
      const message = `Its bytes are ${sniffed.name}, which is not supported. ${supported}`
      throw new AppError('UnsupportedMediaType', `file: ${message}.`, {
        details: [{ field: 'file', message }],
      })
    }
    case 'unknown':
      throw refuse(
        head.isFile
          ? `Its bytes are not a video that is known here. ${supported}`
          : `Was sent as text; send the bytes of a file (with curl: -F file=@talk.mp4)`,
      )
  }
}

function refuse(message: string): AppError {
  return invalidRequest([{ field: 'file', message }])
}
