import type { Video } from '../../api-types.ts'
import type { Screen } from '../terminal/screen.ts'
import { textTable } from '../terminal/text-table.ts'

type ShownSuggestion = NonNullable<Video['suggestions']>[number]

/** What could be cut, one a line; each line begins with the value of `--remove-segments` that cuts it. */
export function showSuggestions(suggestions: readonly ShownSuggestion[], screen: Screen): void {
  const [first] = suggestions
  if (!first) {
    screen.note('Nothing to cut was found.')
    return
  }
  const { dim } = screen.paint
  const rows = suggestions.map((one) => [
    segmentOf(one),
    one.why.replaceAll('_', ' '),
    one.text ?? '',
  ])
  const columns = ['SEGMENT', { heading: 'WHY', paint: dim }]
  screen.print(textTable([...columns, { heading: 'SAID', isCut: true }], rows, screen.columns))
  screen.note(
    `Cut them with \`spool run\`, each as --remove-segments ${segmentOf(first)}; --json has the record.`,
  )
}

/** People paste it into a shell, so it is numbers whatever the service says. */
function segmentOf({ startTime, endTime }: ShownSuggestion): string {
  return `startTime=${Number(startTime)},endTime=${Number(endTime)}`
}
