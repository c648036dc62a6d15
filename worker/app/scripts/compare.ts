import type { LineUp } from '../compare/line-up.ts'
import { SharedTime } from '../compare/line-up.ts'
import { drawSounds } from './compare/draw-sounds.ts'
import type { SceneFrame } from '../videos/frame.ts'
import { showFrame } from './compare/show-frame.ts'
import { showMoment } from './compare/show-moment.ts'
import { PlayedTogether } from './compare/played-together.ts'

const page = document.querySelector<HTMLElement>('[data-compare]')
const pictures = document.querySelector<HTMLElement>('#pictures')
const videos = {
  source: document.querySelector<HTMLVideoElement>('#source'),
  result: document.querySelector<HTMLVideoElement>('#result'),
}
if (page && pictures && videos.source && videos.result) {
  const { source, result } = videos
  const time = new SharedTime(JSON.parse(page.dataset['compare'] ?? '{}') as LineUp)
  const drawFrame = showFrame(JSON.parse(page.dataset['frames'] ?? '[]') as SceneFrame[])
  const tellMoment = showMoment(time)
  const show = (second: number, isPlaying: boolean) => {
    tellMoment(second, isPlaying)
    drawFrame(second)
  }
  const played = new PlayedTogether({ source, result, time, show })
  takeControls(page, played)
  for (const video of [source, result]) {
    video.controls = false
    for (const name of ['error', 'loadedmetadata'] as const)
      video.addEventListener(name, () => showOther(pictures, video))
    if (video.error || video.readyState > 0) showOther(pictures, video)
  }
  void drawSounds(time, { source: source.src, result: result.src })
}

/** A picture that a browser cannot show leaves the other one to be seen. */
function showOther(pictures: HTMLElement, video: HTMLVideoElement): void {
  const figure = video.closest('figure')
  if ((!video.error && video.videoWidth > 0) || figure?.matches('.failed')) return
  pictures.classList.add('alone')
  figure?.classList.add('failed')
  const note = document.querySelector('#note')
  note?.append(`This browser shows no picture of the ${video.id}. `)
}

function takeControls(page: HTMLElement, played: PlayedTogether): void {
  const wipe = page.querySelector<HTMLInputElement>('#wipe')
  const pictures = page.querySelector<HTMLElement>('#pictures')
  wipe?.addEventListener('input', () => {
    pictures?.style.setProperty('--at', `${wipe.value}%`)
    wipe.setAttribute('aria-valuetext', `${wipe.value} % source`)
  })
  const moment = page.querySelector<HTMLInputElement>('#moment')
  moment?.addEventListener('input', () => played.seek(Number(moment.value)))
  page.querySelector('#play')?.addEventListener('click', () => played.toggle())
  page.querySelector<HTMLInputElement>('#beside')?.addEventListener('change', ({ target }) => {
    pictures?.classList.toggle('beside', target instanceof HTMLInputElement && target.checked)
  })
  page.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement && target.name === 'heard') played.hear(target.value)
  })
  page.addEventListener('click', ({ target }) => {
    const at = target instanceof HTMLElement ? target.dataset['show'] : undefined
    if (at !== undefined) played.seekResult(Number(at))
  })
  page.addEventListener('keydown', (event) => {
    if (event.key !== ' ' || (event.target !== wipe && event.target !== moment)) return
    event.preventDefault()
    played.toggle()
  })
}
