/** Pictures of this machine that were chosen, by the address that stands for them in the request. */
export const pickedPictures = new Map<string, string>()

export type Picture = { readonly src: string; readonly width: number; readonly height: number }
const seen = new Map<string, Picture | undefined>()

/** A picture that the page may show, of this machine or of this service. Undefined until it is there; then `onSeen` is called. */
export function pictureAt(address: string, onSeen: () => void): Picture | undefined {
  const isOwn = URL.parse(address)?.origin === location.origin
  const src = pickedPictures.get(address) ?? (isOwn ? address : undefined)
  if (src === undefined || seen.has(src)) return src === undefined ? undefined : seen.get(src)
  seen.set(src, undefined)
  const image = new Image()
  image.addEventListener('load', () => {
    seen.set(src, { src, width: image.naturalWidth, height: image.naturalHeight })
    onSeen()
  })
  image.src = src
  return undefined
}
