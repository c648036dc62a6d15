import { around, frameAt, type ShownFrame, type SceneFrame } from '../../videos/frame.ts'
import { closestTo } from '../page/closest-to.ts'

/** Draws the frame of the result on the source while that plays, and lets it be dragged. */
export function followFrames(): void {
  document.addEventListener('timeupdate', draw, true)
  // Drawn before the picture is there, because the frame can be dragged at once.
  document.addEventListener('seeking', draw, true)
  document.addEventListener('play', follow, true)
  document.addEventListener('input', ({ target }) => {
    const row = closestTo(target, '[data-frames] [data-scene]')
    if (!row) return
    // The number in the field is what counts, so every change of it is drawn at once.
    const video = videoOf(row)
    if (video && rowAt(video) !== row) video.currentTime = startOf(row)
    else if (video) drawOn(video)
  })
  document.addEventListener('click', (event) => {
    const to = event.target instanceof HTMLElement ? event.target.dataset['to'] : undefined
    const video = to === undefined ? null : videoOf(event.target as HTMLElement)
    if (!video) return
    event.preventDefault()
    video.currentTime = Number(to)
  })
  document.addEventListener('pointerdown', drag)
  document.addEventListener('formdata', ({ target, formData }) => {
    if (target instanceof HTMLFormElement && target.matches('[data-frames]'))
      leaveOutUnchanged(target, formData)
  })
}

const videoOf = (element: Element) =>
  element.closest('[data-frames]')?.querySelector<HTMLVideoElement>('.framed video') ?? null
const startOf = (row: HTMLElement) => Number(row.dataset['scene']?.split(',')[0])

/** The row of the scene that is shown: the last one that has begun. */
function rowAt(video: HTMLVideoElement): HTMLElement | undefined {
  const rows = [
    ...(video.closest('[data-frames]')?.querySelectorAll<HTMLElement>('[data-scene]') ?? []),
  ]
  return rows.findLast((row) => startOf(row) <= video.currentTime + 0.01) ?? rows[0]
}

function draw({ target }: Event): void {
  if (target instanceof HTMLVideoElement && target.closest('.framed')) drawOn(target)
}

/** Draws the frame again for every picture while the film plays. */
function follow({ target }: Event): void {
  if (!(target instanceof HTMLVideoElement) || !target.closest('.framed')) return
  const next = () => {
    drawOn(target)
    if (!target.paused) requestAnimationFrame(next)
  }
  requestAnimationFrame(next)
}

function drawOn(video: HTMLVideoElement): void {
  const row = rowAt(video)
  const box = video.closest<HTMLElement>('.framed')
  if (!row || !box) return
  const rows = video.closest('[data-frames]')?.querySelectorAll('li[data-scene]') ?? []
  for (const other of rows) other.classList.toggle('now', other === row)
  const mode = row.querySelector('select')?.value ?? 'crop'
  box.classList.toggle('none', mode !== 'crop')
  const frame = frameOf(box)
  const moved = row.dataset['moved'] ?? '[]'
  const now = frameAt(JSON.parse(moved) as SceneFrame[], video.currentTime)
  for (const side of ['x', 'y'] as const) {
    const field = fieldIn(row, side)
    if (now && field?.value === field?.defaultValue) {
      frame[side] = now[side]
      continue
    }
    if (!field || field.value === '') continue
    const length = side === 'x' ? frame.width : frame.height
    const begin = isCrop(field) ? Number(field.value) : Number(field.value) - length / 2
    frame[side] = Math.min(100 - length, Math.max(0, begin))
  }
  show(box, frame)
}

/** Whether a field belongs to a crop, which is placed by its corner; a scene is placed by its middle. */
const isCrop = ({ name }: HTMLInputElement) => name.startsWith('crop-')
const fieldIn = (row: Element, side: 'x' | 'y') =>
  row.querySelector<HTMLInputElement>(`input[name^="${side}"], input[name="crop-${side}"]`)

function frameOf(box: HTMLElement): ShownFrame {
  const rect = box.querySelector('.frame')
  const value = (name: string) => Number(rect?.getAttribute(name))
  return { x: value('x'), y: value('y'), width: value('width'), height: value('height') }
}

function show(box: HTMLElement, frame: ShownFrame): void {
  for (const rect of box.querySelectorAll('rect')) {
    rect.setAttribute('x', String(frame.x))
    rect.setAttribute('y', String(frame.y))
  }
  box.querySelector('.outside')?.setAttribute('d', around(frame))
}

function drag(event: PointerEvent): void {
  const grip = closestTo(event.target, '.framed .grip')
  const box = grip?.closest<HTMLElement>('.framed')
  const video = box?.querySelector('video')
  const row = video && rowAt(video)
  if (!grip || !box || !row) return
  event.preventDefault()
  video.pause()
  grip.setPointerCapture(event.pointerId)
  const { width, height } = box.getBoundingClientRect()
  const [from, begin] = [{ x: event.clientX, y: event.clientY }, frameOf(box)]
  const move = ({ clientX, clientY }: PointerEvent) => {
    const by = { x: (100 * (clientX - from.x)) / width, y: (100 * (clientY - from.y)) / height }
    for (const side of ['x', 'y'] as const) {
      const field = fieldIn(row, side)
      if (!field) continue
      const length = side === 'x' ? begin.width : begin.height
      const edge = Math.min(100 - length, Math.max(0, begin[side] + by[side]))
      field.value = String(Math.round(10 * (isCrop(field) ? edge : edge + length / 2)) / 10)
    }
    drawOn(video)
  }
  const listener = (moved: Event) => {
    if (moved instanceof PointerEvent) move(moved)
  }
  grip.addEventListener('pointermove', listener)
  grip.addEventListener(
    'lostpointercapture',
    () => grip.removeEventListener('pointermove', listener),
    {
      once: true,
    },
  )
}

/** Leaves unchanged scenes out: with all of them, the address of the form would grow with each scene of a long film. */
function leaveOutUnchanged(form: HTMLFormElement, sent: FormData): void {
  for (const row of form.querySelectorAll('li[data-scene]')) {
    const fields = row.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input, select')
    const isSame = [...fields].every((field) =>
      field instanceof HTMLInputElement
        ? field.value === field.defaultValue
        : field.selectedOptions[0]?.defaultSelected,
    )
    if (isSame) for (const { name } of fields) sent.delete(name)
  }
}
