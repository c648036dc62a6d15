import type { ShownCheck } from '../../contract/job/check.ts'
import { CheckStill } from '../design/notice.tsx'
import { formatTimecode } from '../design/formats.ts'
import { Badge } from '../design/status-badge.tsx'

export function doubtsIn(checks: readonly ShownCheck[] = []): ShownCheck[] {
  return checks.filter(({ result }) => result !== 'passed')
}

const words = {
  warned: { word: 'Warned', tone: 'busy' },
  failed: { word: 'Failed', tone: 'bad' },
} as const

/** The checks of the result: those that failed with the place in question, the others by name. */
export function ChecksList({ checks }: { checks: readonly ShownCheck[] | undefined }) {
  if (!checks || checks.length === 0) return null
  const passed = checks.filter(({ result }) => result === 'passed')
  return (
    <section aria-labelledby="checks-title">
      <h2 id="checks-title">Checks</h2>
      <ol class="checks">
        {doubtsIn(checks).map(({ name, result, message, stretch, stillUrl }) => (
          <li>
            {result !== 'passed' && <Badge {...words[result]} />} {name}: {message}{' '}
            {stretch && (
              <button type="button" class="button small needs-script" data-show={stretch.startTime}>
                Show {formatTimecode(stretch.startTime)}
              </button>
            )}
            <CheckStill name={name} url={stillUrl} />
          </li>
        ))}
      </ol>
      {passed.length > 0 && (
        <p class="soft">Passed: {passed.map(({ name }) => name).join(', ')}.</p>
      )}
    </section>
  )
}
