import type { FieldFault } from '../../contract/answers/errors.ts'
import { ToneShape } from '../design/status-badge.tsx'
import { countFaults } from './count-faults.ts'

/** How many things are wrong, and where each of them is. A script fills it in as well. */
export function FaultSummary({ faults }: { faults: readonly FieldFault[] }) {
  return (
    <div class="notice bad" id="faults" role="alert" tabindex={-1} hidden={faults.length === 0}>
      <ToneShape tone="bad" />
      <div>
        <p id="faults-count">{countFaults(faults.length)}</p>
        <ul id="faults-list">
          {faults.map(({ field, message }) => (
            <li>
              <a href={`#field-${field}`}>{field}</a>: {message}
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
