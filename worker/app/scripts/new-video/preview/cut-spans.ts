import type { Composer } from '../composer.ts'
import { setControl } from '../controls.ts'
import { addItem, itemsOf } from '../lists.ts'
import { rangesIn, type Range } from './cut-ranges.ts'
import type { Spans } from './timeline.ts'

const field = 'removeSegments'

/** What is cut out of the clip. */
export function cutSpans(composer: Composer): Spans {
  const listOf = () => composer.form.querySelector<HTMLElement>(`[data-list="${field}"]`)
  const write = (index: number, { startTime, endTime }: Range): void => {
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
