import { loudnessOf } from '../videos/facts.tsx'
import type { ShownPlan } from '../videos/read-plan.ts'

type LevelsFacts = {
  plan: ShownPlan | undefined
  /** Whether a script of the page measures both sounds. */
  isMeasured: boolean
}

/** How loud both are: as Spool has measured it where it had to, and as the browser hears it. */
export function Levels({ plan, isMeasured }: LevelsFacts) {
  const loudness = loudnessOf(plan)
  if (!loudness && !isMeasured) return null
  return (
    <section class={loudness ? '' : 'needs-script'} id="levels" aria-labelledby="levels-title">
      <h2 id="levels-title">Levels</h2>
      <table class="table">
        <thead>
          <tr>
            <th scope="col"></th>
            <th scope="col">Source</th>
            <th scope="col">Result</th>
          </tr>
        </thead>
        <tbody>
          {loudness && (
            <tr>
              <th scope="row">Loudness, as Spool set it</th>
              <td data-label="Source">{loudness.before}</td>
              <td data-label="Result">{loudness.after}</td>
            </tr>
          )}
          {isMeasured &&
            (['Average', 'Peak'] as const).map((name) => (
              <tr class="needs-script">
                <th scope="row">{name}</th>
                {(['source', 'result'] as const).map((of) => (
                  <td
                    data-label={of === 'source' ? 'Source' : 'Result'}
                    id={`${name.toLowerCase()}-${of}`}
                  >
                    …
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
      {isMeasured && (
        <p class="soft needs-script" id="how-measured">
          Average and peak are plain levels of all samples (RMS and the highest one, in dB below
          full scale), measured by your browser.
        </p>
      )}
    </section>
  )
}
