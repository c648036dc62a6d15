/** How many leading bytes `looksLikeVideo` wants; a file may be shorter. */
export const headBytes = 1_024

const movBoxes = ['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide', 'pnot']

/** What the service takes, for messages. */
export const knownVideos =
  'MP4, MOV, AVI, WebM, MKV, MPEG-TS, FLV, 3GP, MPG or OGV, or sound as MP3, M4A, WAV, FLAC, OGG or Opus'

/** How WebM and MKV, FLV, MPG, Ogg, FLAC and MP3 begin. */
const beginnings = /^(\x1aE\xdf\xa3|FLV\x01|\0\0\x01\xba|OggS|fLaC|ID3|\xff[\xf2-\xfb])/
/** MPEG-TS, which has the same letter at the head of every packet, may begin in the middle of one. */
const packets = /^[^]{0,203}(G[^]{187}G[^]{187}G|G[^]{191}G[^]{191}G|G[^]{203}G[^]{203}G)/

/** Whether a file begins as videos do. The service looks closer once it has the file. */
export function looksLikeVideo(head: Uint8Array): boolean {
  const text = String.fromCharCode(...head.subarray(0, headBytes))
  const isRiff = text.startsWith('RIFF') && /^(AVI |WAVE)$/.test(text.slice(8, 12))
  return isMov(text) || isRiff || beginnings.test(text) || packets.test(text)
}

/** Books and still pictures are kept in the same boxes, and say so in the brand behind the first. */
function isMov(text: string): boolean {
  const isOther = /^(M4[BP] |mif1|msf1|hei[cmsx]|hev[cmsx]|avi[fs]|crx )$/.test(text.slice(8, 12))
  return movBoxes.includes(text.slice(4, 8)) && !isOther
}
