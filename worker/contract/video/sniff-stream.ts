/** Containers that hold streams without a table in front, by their leading bytes. */
export function sniffStream(head: Uint8Array): 'ts' | 'flv' | 'mpg' | 'ogv' | undefined {
  if (isFlv(head)) return 'flv'
  if (beginsWith(head, [0, 0, 1, 0xba])) return 'mpg'
  if (isOggVideo(head)) return 'ogv'
  return isTransportStream(head) ? 'ts' : undefined
}

/** A version of 1, and flags that name nothing but sound and pictures. */
function isFlv(head: Uint8Array): boolean {
  return beginsWith(head, [0x46, 0x4c, 0x56, 1]) && ((head[4] ?? 0xff) & ~5) === 0
}

const syncByte = 0x47
/** As broadcast, with the time of arrival before each packet (M2TS), and with error correction behind it. */
const packetBytes = [188, 192, 204]
/** This many packets in a row begin with the same byte only in a transport stream. */
const surePackets = 5

/** A recording may begin in the middle of a packet. */
function isTransportStream(head: Uint8Array): boolean {
  return packetBytes.some((step) => {
    for (let from = 0; from < step; from++) {
      let count = 0
      while (head[from + count * step] === syncByte) count++
      const isWhole = from + count * step >= head.length
      if (count >= surePackets || (isWhole && count > 2)) return true
    }
    return false
  })
}

/** Ogg names the codec of each stream in a page of its own, before all others: Theora, Dirac, or any video in OGM. */
function isOggVideo(head: Uint8Array): boolean {
  for (let at = 0; beginsWith(head.subarray(at), [0x4f, 0x67, 0x67, 0x53]);) {
    const isFirstOfStream = ((head[at + 5] ?? 0) & 2) !== 0
    if (!isFirstOfStream) return false
    const segments = head.subarray(at + 27, at + 27 + (head[at + 26] ?? 0))
    const body = at + 27 + segments.length
    const name = String.fromCharCode(...head.subarray(body, body + 7))
    if (/^(\x80theora|BBCD|\x01video)/.test(name)) return true
    at = body + segments.reduce((sum, bytes) => sum + bytes, 0)
  }
  return false
}

function beginsWith(head: Uint8Array, bytes: readonly number[]): boolean {
  return bytes.every((byte, i) => head[i] === byte)
}
