/** How many leading bytes `looksLikeVideo` wants; a file may be shorter. */
export const headBytes = 64

const movBoxes = ['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide', 'pnot']

/** Whether a file begins as MP4, MOV, AVI and WebM files do. The service looks closer once it has the file. */
export function looksLikeVideo(head: Uint8Array): boolean {
  const text = String.fromCharCode(...head.subarray(0, headBytes))
  const isAvi = text.startsWith('RIFF') && text.slice(8, 12) === 'AVI '
  const isWebm = text.startsWith('\x1a\x45\xdf\xa3') && !text.includes('matroska')
  return isMov(text) || isAvi || isWebm
}

/** Sound and still pictures are kept in the same boxes, and say so in the brand behind the first. */
function isMov(text: string): boolean {
  const isOther = /^(M4[ABP] |mif1|msf1|hei[cmsx]|hev[cmsx]|avi[fs]|crx )$/.test(text.slice(8, 12))
  return movBoxes.includes(text.slice(4, 8)) && !isOther
}
