import type { Size } from '../../../../contract/layout/element-layout.ts'
import type { Choices } from '../../../new-video/request/build-request.ts'
import {
  beforeTurn,
  croppedSize,
  fadeAt,
  frameSize,
  hasBlurredBars,
  insetsOf,
  mirrorOf,
  toneOf,
} from '../../../new-video/request/picture-look.ts'

/** Turns, crops, mirrors and colours the clip as the request asks; returns the size of the finished picture. */
export function showPicture(frame: HTMLElement, clip: HTMLVideoElement, request: Choices): Size {
  const turn = Number(request['rotate'] ?? 0)
  const isTurned = turn % 180 !== 0
  const { videoWidth: wide, videoHeight: high } = clip
  const upright = isTurned ? { width: high, height: wide } : { width: wide, height: high }
  const stored = wide > 0 ? upright : { width: 1280, height: 720 }
  const insets = insetsOf(request, stored)
  const sides = beforeTurn(insets, turn).map((share) => `${(share * 100).toFixed(3)}%`)
  const isWhole = insets.every((share) => share === 0)
  // A browser without this property shows the whole picture.
  clip.style.setProperty('object-view-box', isWhole ? 'none' : `inset(${sides.join(' ')})`)
  const { across, down } = mirrorOf(request)
  frame.style.setProperty('--turn', `${turn}deg`)
  frame.style.setProperty('--mirror', `${across}, ${down}`)
  frame.classList.toggle('turned', isTurned)
  const tone = toneOf(request)
  document.querySelector('[data-tone]')?.setAttribute('values', tone ?? '')
  clip.style.filter = tone === undefined ? '' : 'url(#tone)'
  return frameSize(croppedSize(insets, stored), request)
}

/** The sigma with which media workers blur the bars, in pixels of the finished picture. */
const blurSigma = 32

/** Shows the clip's present picture, blurred, around the clip. */
export function showBars(
  bars: HTMLCanvasElement,
  clip: HTMLVideoElement,
  request: Choices,
  { width }: Size,
): void {
  bars.hidden = !hasBlurredBars(request) || clip.videoWidth === 0
  if (bars.hidden) return
  bars.height = Math.round((bars.width * clip.videoHeight) / clip.videoWidth)
  bars.getContext('2d')?.drawImage(clip, 0, 0, bars.width, bars.height)
  const box = 'object-view-box'
  bars.style.setProperty(box, clip.style.getPropertyValue(box))
  bars.style.filter = `${clip.style.filter} blur(${((blurSigma / width) * 100).toFixed(2)}cqw)`
}

/** Shows how far the film has faded at one of its seconds. */
export function showFade(
  plate: HTMLElement,
  request: Choices,
  at: { readonly seconds: number; readonly filmSeconds: number },
): void {
  const { color, opacity } = fadeAt(request, at.seconds, at.filmSeconds)
  Object.assign(plate.style, { background: color, opacity: String(opacity) })
}
