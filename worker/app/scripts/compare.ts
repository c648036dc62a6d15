import { type LineUp, SharedTime } from '../compare/line-up.ts'
import { drawSounds } from './compare/draw-sounds.ts'
import { type SceneFrame, around, frameAt } from '../videos/frame.ts'
import { PlayedTogether } from './compare/played-together.ts'
import { cutReasons } from '../videos/cut-reasons.ts'
import { formatTimecode } from '../design/formats.ts'

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

/** Draws on the source what the result shows of it at that moment. */
function showFrame(frames: readonly SceneFrame[]): (second: number) => void {
  const part = document.querySelector('.part')
  let drawn = ''
  return (second) => {
    const frame = frameAt(frames, second)
    const now = JSON.stringify(frame) ?? 'none'
    if (!part || now === drawn) return
    drawn = now
    part.classList.toggle('none', frame === undefined)
    if (!frame) return
    part.querySelector('.outside')?.setAttribute('d', around(frame))
    for (const [side, value] of Object.entries(frame))
      part.querySelector('.frame')?.setAttribute(side, String(value))
  }
}

/** Shows the moment on the line, as a time, and whether both play. */
function showMoment(time: SharedTime): (second: number, isPlaying: boolean) => void {
  const { seconds, resultSeconds } = time.line
  const lanes = document.querySelector<HTMLElement>('.lanes')
  const moment = document.querySelector<HTMLInputElement>('#moment')
  return (second, isPlaying) => {
    const cut = time.cutAt(second)
    const place = cut
      ? `cut: ${cutReasons[cut[3]]}`
      : `result ${withTenths(time.inResult(second))} / ${formatTimecode(resultSeconds)}`
    const text = `${withTenths(second)} / ${formatTimecode(seconds)}, ${place}`
    write('#clock', text)
    write('#play', isPlaying ? 'Pause' : 'Play')
    lanes?.style.setProperty('--at', `${(second / seconds) * 100}%`)
    if (moment && !moment.matches(':active')) moment.value = String(second)
    moment?.setAttribute('aria-valuetext', text)
  }
}

function withTenths(second: number): string {
  const tenths = Math.round(second * 10)
  return `${formatTimecode(tenths / 10)}.${tenths % 10}`
}

function write(selector: string, text: string): void {
  const place = document.querySelector(selector)
  if (place && place.textContent !== text) place.textContent = text
}
