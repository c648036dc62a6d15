import { ApiError } from '../../errors.ts'
import { CommandError } from '../session/command-error.ts'
import { exitCodes } from '../session/exit-code.ts'
import type { Session } from '../session/session.ts'
import { durationText, sizeText } from '../terminal/quantities.ts'
import type { Source } from './video-source.ts'
import type { Context } from './with-progress.ts'

export type File = Extract<Source, { kind: 'file' }>

/** Sends a file, and answers the upload to make a video of. `uploadId` continues one that was interrupted. */
export async function sendFile(
  file: File,
  { session, spool, progress }: Context,
  uploadId: string | undefined,
): Promise<string> {
  const { signal, surroundings, screen } = session
  const begunAt = surroundings.now()
  const { source, sizeInBytes } = await openFile(file, session)
  const label = `Uploading ${file.name}`
  let begun = uploadId
  try {
    progress.show({ label, detail: sizeText(sizeInBytes) })
    const sent = await spool.uploads.send(source, {
      signal,
      uploadId,
      sizeInBytes,
      fileName: file.name,
      onProgress(step) {
        begun = step.uploadId
        const detail = `${sizeText(step.sentBytes)} of ${sizeText(sizeInBytes)}`
        progress.show({ label, fraction: step.sentBytes / sizeInBytes, detail })
      },
    })
    const took = durationText((surroundings.now() - begunAt) / 1000)
    const size = sizeText(sizeInBytes)
    progress.done(`${screen.mark('good')} Uploaded ${file.name} (${size}) in ${took}`)
    return sent.uploadId
  } catch (error) {
    progress.stop()
    throw begun === undefined ? error : withContinuation(error, begun, file, session)
  }
}

/** Standard input has no size, so it is read as a whole before the first part can be announced. */
async function openFile(file: File, { surroundings }: Session) {
  if (file.size !== undefined) return { source: file.path, sizeInBytes: file.size }
  if (file.path !== '-') {
    throw new CommandError(`${file.path} is not a file with a size.`, exitCodes.localFile, [
      'Pass it on as standard input: spool run - < …',
    ])
  }
  const chunks: Uint8Array[] = []
  for await (const chunk of surroundings.stdin) chunks.push(chunk as Uint8Array)
  const bytes = Buffer.concat(chunks)
  if (bytes.length === 0) {
    throw new CommandError('Standard input is empty.', exitCodes.localFile)
  }
  return { source: bytes, sizeInBytes: bytes.length }
}

/** What arrived is kept by the service, and need not be sent again. */
function withContinuation(error: unknown, uploadId: string, file: File, session: Session): unknown {
  // What the service refused, it would refuse again.
  if (error instanceof ApiError && error.status < 500 && error.status !== 429) return error
  const hint = `Continue with \`spool run ${shellWord(file.path)} --upload-id ${uploadId}\` and the same flags.`
  if (file.path === '-' || !session.signal.aborted) {
    if (file.path !== '-') session.screen.note(hint)
    return error
  }
  return session.interrupted([hint])
}

/** A file name as a shell takes it. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) && !text.startsWith('-')
    ? text
    : `'${text.replaceAll("'", `'\\''`)}'`
}
