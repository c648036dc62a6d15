import { fileInFolder, outputKind, type OutputKind } from '../../contract/job/media-job.ts'
import { deriveKey, macOf, verifyMac } from '../../contract/keyed-hash.ts'
import type { Settings } from '../../settings.ts'
import { outputKey, videoPrefix } from '../../store/objects/objects.ts'
import type { StoredOutput, VideoRow } from '../../store/tables/tables.ts'
import type { LinkMaker } from '../videos/describe-video.ts'
import { storedFile } from './stored-file.ts'
import { shorten } from '../videos/name-video.ts'

const linkLifetimeMs = 7 * 86_400_000

/** What is needed to serve a file. The key is that of one attempt, so its bytes never change. */
export type LinkedFile = { key: string; sizeBytes: number; name: string }

/**
 * `file`: absent from a link that lost its name or query on the way. `key`: the object of a file in a folder, whose size
 * only the bucket knows.
 */
export type FileLink = {
  videoId: string
  kind: OutputKind
  file?: LinkedFile
  key?: string
  /** The extension of a file in a folder, if only the row says where the file lies. */
  extension?: string
}
type LinkReading =
  | { outcome: 'good'; link: FileLink }
  | { outcome: 'expired' }
  | { outcome: 'forged' }

/** The parts of a link's address: `/files/{token}/{name}?object={object}`. */
type LinkAddress = { token: string; name: string; object?: string | undefined }

async function linkKey({ secret }: Settings): Promise<string> {
  return deriveKey(secret, 'file-links')
}

/**
 * Links work for 7 days, or until the file expires or `until` if that is sooner. Every read signs them again. The token
 * alone is enough; `object` names the file itself, so that serving it asks no database.
 */
export function makeLinks(settings: Settings, now: number, until = Infinity): LinkMaker {
  return async (video, kind) => {
    const output = storedFile(video, kind)
    if (!output) return undefined
    const end = Math.min(now + linkLifetimeMs, until, video.filesExpireAt ?? Infinity)
    if (end <= now) return undefined
    const expiresAt = Math.floor(end / 1000) * 1000
    const key = await linkKey(settings)
    const folder = folderOf(video, kind)
    if (folder !== undefined) {
      const place = placeOf(video, folder, output)
      const claim = `${video.id}.${folder}.${place}.${expiresAt / 1000}`
      const token = `${claim}.${await macOf(key, `folder ${claim}`)}`
      const file = fileInFolder(kind, output.extension)
      return { url: `${settings.storageUrl}/files/${token}/${file}`, expiresAt }
    }
    const claim = `${video.id}.${kind}.${expiresAt / 1000}`
    const token = `${claim}.${await macOf(key, claim)}`
    const name = fileName(video, kind)
    const query = await objectQuery(key, { token, name }, describeObject(video.id, kind, output))
    const url = `${settings.storageUrl}/files/${token}/${encodeURIComponent(name)}${query}`
    return { url, expiresAt }
  }
}

/**
 * The output that a file belongs to if that consists of several files. One token opens all of them, because players find
 * the others beside the first by the names that it gives.
 */
function folderOf({ result }: Pick<VideoRow, 'result'>, kind: OutputKind): OutputKind | undefined {
  return result?.named?.find(
    ({ kind: main, files = [] }) => files.length > 0 && (main === kind || files.includes(kind)),
  )?.kind
}

/**
 * Where the files of an output lie: by the fence of the attempt that made them, with an `r` if the row says where its
 * captions lie because they name speakers who were named later. No attempt has the fence 0: the files are another
 * video's, and the row says where each lies.
 */
function placeOf(
  { id, result, transcript }: Parameters<LinkMaker>[0],
  folder: OutputKind,
  output: StoredOutput,
): string {
  const main = result?.outputs[folder]
  if (main !== undefined && !main.key.startsWith(videoPrefix(id))) return '0'
  const named = Object.keys(transcript?.renamed?.files ?? {})
  const areNamed = named.some((kind) => kind.startsWith(`${folder}.`))
  return `${fenceOf(output)}${areNamed ? 'r' : ''}`
}

function fenceOf({ key }: StoredOutput): number {
  return Number(key.split('/')[3])
}

async function objectQuery(
  key: string,
  address: LinkAddress,
  described: string | undefined,
): Promise<string> {
  if (described === undefined) return ''
  return `?object=${described}.${await macOf(key, signedText(address, described))}`
}

/** Signs the whole address, so that a file name that was changed on the way is not shown as the service's. */
function signedText({ token, name }: LinkAddress, described: string): string {
  return `${token}.${described}/${name}`
}

/** `{fence}.{extension}.{bytes}`: with the token, this gives the key and the ranges of the file. */
function describeObject(
  videoId: string,
  kind: OutputKind,
  output: StoredOutput,
): string | undefined {
  const { key, extension, sizeBytes } = output
  const fence = fenceOf(output)
  const isUsual = key === outputKey(videoId, fence, `${kind}.${extension}`)
  return isUsual ? `${fence}.${extension}.${sizeBytes}` : undefined
}

/**
 * The name under which a browser saves the file: the video's name without characters that a file system refuses or that
 * hide what the name says.
 */
export function fileName(video: Pick<VideoRow, 'name' | 'result'>, kind: OutputKind): string {
  const extension = video.result?.outputs[kind]?.extension ?? 'bin'
  const safe = video.name.replace(/[\p{Cc}\p{Bidi_Control}/\\:*?"<>|]/gu, '_').replace(/^\.+/, '_')
  // The names of outputs tell several results of one video apart on a disk.
  const name = video.result?.named?.find((one) => one.kind === kind)?.name
  return `${shorten(safe.toWellFormed(), 120)}${name === undefined ? '' : `-${name}`}.${extension}`
}

export async function readLink(
  settings: Settings,
  address: LinkAddress,
  now: number,
): Promise<LinkReading> {
  const match = /^(v_[0-9A-Za-z]{8})\.([\w-]+)\.(\d{1,12})\.([0-9a-f]{64})$/.exec(address.token)
  const [, videoId, word, seconds, mac] = match ?? []
  const kind = outputKind.safeParse(word).data
  if (!match) return readFolderLink(settings, address, now)
  if (!videoId || !kind || !seconds || !mac) return { outcome: 'forged' }
  const key = await linkKey(settings)
  const file = await readObject(key, address, { videoId, kind })
  if (!file && !(await verifyMac(key, `${videoId}.${kind}.${seconds}`, mac))) {
    return { outcome: 'forged' }
  }
  if (Number(seconds) * 1000 <= now) return { outcome: 'expired' }
  return { outcome: 'good', link: { videoId, kind, ...(file && { file }) } }
}

/** A link into an output of several files: the token opens all of them, the name says which. */
async function readFolderLink(
  settings: Settings,
  { token, name }: LinkAddress,
  now: number,
): Promise<LinkReading> {
  const [, claim, videoId, main, fence, mark, seconds, mac] =
    /^((v_[0-9A-Za-z]{8})\.([\w-]+)\.(\d{1,10})(r?)\.(\d{1,12}))\.([0-9a-f]{64})$/.exec(token) ?? []
  const [, part, extension] = /^([a-z0-9]{1,20})\.([a-z0-9]{2,5})$/.exec(name) ?? []
  const kind = outputKind.safeParse(part === 'index' ? main : `${main}.${part}`).data
  if (!claim || !videoId || !fence || !mac) return { outcome: 'forged' }
  if (!(await verifyMac(await linkKey(settings), `folder ${claim}`, mac))) {
    return { outcome: 'forged' }
  }
  if (Number(seconds) * 1000 <= now) return { outcome: 'expired' }
  if (!kind || !extension) return { outcome: 'forged' }
  const isInRow = Number(fence) === 0 || (mark === 'r' && extension === 'vtt')
  if (isInRow) return { outcome: 'good', link: { videoId, kind, extension } }
  const key = outputKey(videoId, Number(fence), `${kind}.${extension}`)
  return { outcome: 'good', link: { videoId, kind, key } }
}

/** The file that the address names; undefined unless every part of the address is as it was signed. */
async function readObject(
  key: string,
  address: LinkAddress,
  { videoId, kind }: { videoId: string; kind: OutputKind },
): Promise<LinkedFile | undefined> {
  const match = /^((\d{1,10})\.([a-z0-9]{2,5})\.(\d{1,13}))\.([0-9a-f]{64})$/.exec(
    address.object ?? '',
  )
  const [, described, fence, extension, bytes, mac] = match ?? []
  if (!described || !fence || !extension || !bytes || !mac) return undefined
  if (!(await verifyMac(key, signedText(address, described), mac))) return undefined
  return {
    key: outputKey(videoId, Number(fence), `${kind}.${extension}`),
    sizeBytes: Number(bytes),
    name: address.name,
  }
}
