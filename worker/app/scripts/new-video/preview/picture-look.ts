import type { Request } from '../../../new-video/request/build-request.ts'
import {
  beforeTurn,
  croppedSize,
  fadeAt,
  insetsOf,
  mirrorOf,
} from '../../../new-video/request/picture-look.ts'

type Size = { width: number; height: number }

/** Shows the clip turned, cropped and mirrored; returns the size of the picture that is left. */
export function showPicture(frame: HTMLElement, clip: HTMLVideoElement, request: Request): Size {
  const turn = Number(request['rotate'] ?? 0)
  const isTurned = turn % 180 !== 0
  const { videoWidth: wide, videoHeight: high } = clip
  const upright = isTurned ? { width: high, height: wide } : { width: wide, height: high }
  const stored = wide > 0 ? upright : { width: 1280, height: 720 }
  const insets = insetsOf(request, stored)
  const sides = beforeTurn(insets, turn).map((share) => `${(share * 100).toFixed(3)}%`)
  const isWhole = insets.every((share) => share === 0)
  // Where a browser lacks it, the whole picture is shown.
  clip.style.setProperty('object-view-box', isWhole ? 'none' : `inset(${sides.join(' ')})`)
  const { across, down } = mirrorOf(request)
  frame.style.setProperty('--turn', `${turn}deg`)
  frame.style.setProperty('--mirror', `${across}, ${down}`)
  frame.classList.toggle('turned', isTurned)
  return croppedSize(insets, stored)
}

/** Shows how far the film has faded at a second of it. */
export function showFade(
  plate: HTMLElement,
  request: Request,
  at: { readonly seconds: number; readonly filmSeconds: number },
): void {
  const { color, opacity } = fadeAt(request, at.seconds, at.filmSeconds)
  Object.assign(plate.style, { background: color, opacity: String(opacity) })
}
