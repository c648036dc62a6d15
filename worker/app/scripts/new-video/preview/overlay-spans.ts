import { valueAt } from '../../../new-video/request/build-request.ts'
import type { Composer } from '../composer.ts'
import { setControl } from '../controls.ts'
import { leftOf } from './left-words.ts'
import { shownIn, type PreviewClip } from './shown-in.ts'
import type { EditableSpans } from './timeline.ts'
import { addItem, itemsOf } from '../lists.ts'
import { rangesIn, rounded, type Section } from './cut-ranges.ts'

/**
 * When each element is seen or heard. The request has seconds of the finished video; the strip shows where they are in the
 * clip.
 */
export function overlaySpans(composer: Composer, clipOf: () => PreviewClip): EditableSpans {
  const elements = (): unknown[] => {
    const { elements: all } = composer.full
    return Array.isArray(all) ? all : []
  }
  const set = (index: number, field: string, text: string) =>
    setControl(composer.form, `elements[${index}].timing.${field}`, text)
  return {
    read: () => elements().map((element) => shownIn(element, clipOf())),
    write(index, range) {
      const { duration, cuts, speed } = clipOf()
      const left = leftOf(cuts)
      const placeOf = (moment: number) => left.placeOf(moment) / speed
      const end = Math.min(placeOf(range.endTime), placeOf(duration))
      set(index, 'startTime', String(rounded(placeOf(range.startTime))))
      set(index, 'endTime', String(rounded(end)))
      set(index, 'entireVideo', 'false')
      composer.changed()
    },
    // Without times, an element is there from beginning to end.
    remove(index) {
      for (const field of ['startTime', 'endTime']) set(index, field, '')
      composer.changed()
    },
    nameOf: (index) => `${String(valueAt(elements()[index], 'type'))} ${index + 1}`,
  }
}

const field = 'removeSegments'

/** The spans of the clip that are cut. */
export function cutSpans(composer: Composer): EditableSpans {
  const listOf = () => composer.form.querySelector<HTMLElement>(`[data-list="${field}"]`)
  const write = (index: number, { startTime, endTime }: Section): void => {
    setControl(composer.form, `${field}[${index}].startTime`, String(startTime))
    setControl(composer.form, `${field}[${index}].endTime`, String(endTime))
    composer.changed()
  }
  return {
    read: () => rangesIn(composer.full[field]),
    write,
    remove(index) {
      const list = listOf()
      const item = list ? itemsOf(list)[index] : undefined
      item?.querySelector<HTMLElement>('[data-remove]')?.click()
    },
    nameOf: (index) => `Segment ${index + 1}`,
    add(range) {
      const list = listOf()
      if (!list || !addItem(list)) return undefined
      const index = itemsOf(list).length - 1
      write(index, range)
      return index
    },
  }
}
