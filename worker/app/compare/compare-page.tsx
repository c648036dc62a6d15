import { Brand } from '../../reference/pages/page-head.tsx'
import { originsOf, type PageContent } from '../design/app-page.tsx'
import { Button } from '../design/button.tsx'
import { formatMoment } from '../design/formats.ts'
import { Notice } from '../design/notice.tsx'
import { sceneFrames } from '../videos/panels/source-frames.ts'
import { ChecksList } from './checks-list.tsx'
import { compareStyle } from './compare-style.ts'
import { SharedTime } from './line-up.ts'
import { Lanes } from './lanes.tsx'
import type { Comparison } from './read-comparison.ts'
import { loudnessOf } from '../videos/facts.tsx'
import type { ShownPlan } from '../videos/read-plan.ts'
import type { ShownResult } from '../videos/shown-result.ts'

type CompareFacts = {
  /** A shared page has no links and no forms. */
  isShared: boolean
  comparison: Comparison
  /** `url`: for a member to pass on. */
  shared: { url?: string; expiresAt: number }
  storage: string
}

/** The page that shows source and result on one line. */
export function comparePage(facts: CompareFacts): PageContent {
  const { isShared, comparison, storage } = facts
  const { videoName, videoId } = comparison.record
  const { lined } = comparison
  const isLined = 'line' in lined
  const elsewhere = isLined ? originsOf(lined.sourceUrl) : []
  const ofMember = {
    heading: 'Source and result',
    back: { label: videoName, href: `/app/videos/${videoId}` },
    section: 'videos',
  } as const
  return {
    title: `${videoName}, source and result`,
    ...(isShared ? { above: <Brand href="/docs" />, heading: videoName } : ofMember),
    actions: <Share {...facts} />,
    style: compareStyle,
    scripts: isLined ? ['compare'] : [],
    connect: [new URL(storage).origin, ...elsewhere],
    play: elsewhere,
    children: <Compared {...facts} />,
  }
}

function Share({ shared: { url, expiresAt } }: CompareFacts) {
  const until = formatMoment(new Date(expiresAt).toISOString())
  if (url === undefined) return <span class="soft">Shared until {until}</span>
  return (
    <>
      <a class="soft" href={url}>
        Link that works for a day
      </a>
      <Button copy={url} label={`Copy link that shows this page to anybody until ${until}`}>
        Copy link
      </Button>
    </>
  )
}

function Compared({ comparison }: CompareFacts) {
  const { record, plan, lined, result } = comparison
  const { kind, output } = result
  const [source] = plan?.sources ?? []
  const frames = kind === 'sound' ? undefined : sceneFrames(record, plan)
  const checks = output?.checks ?? record.checks
  if ('missing' in lined) {
    return (
      <>
        <Notice tone="idle">
          <p>Only the result is shown. {lined.missing}</p>
        </Notice>
        <div class="pictures">
          <OfResult result={result} />
        </div>
        <Levels plan={plan} isMeasured={false} />
        <ChecksList checks={checks} />
      </>
    )
  }
  const look = kind === 'sound' ? 'sounds' : `lined ${isTall(comparison) ? 'tall' : ''}`
  const { line, sourceUrl } = lined
  return (
    <div data-compare={JSON.stringify(line)} data-frames={frames && JSON.stringify(frames)}>
      <div class={`pictures ${look}`} id="pictures">
        <figure class="source">
          <figcaption>Source</figcaption>
          <div class="shown">
            <Player kind={kind} id="source" src={sourceUrl} label="Source" />
            {frames && source && <ShownPart size={source} />}
          </div>
        </figure>
        <OfResult result={result} />
        {kind !== 'sound' && <Wipe />}
      </div>
      <p class="needs-script" id="note" role="status"></p>
      <p class="needs-script" id="moved" role="status"></p>
      {frames && (
        <p class="legend needs-script">The frame on the source is what the result shows of it.</p>
      )}
      <Controls kind={kind} />
      <Lanes time={new SharedTime(line)} checks={checks} />
      {kind !== 'picture' && <Levels plan={plan} isMeasured />}
      <ChecksList checks={checks} />
    </div>
  )
}

/** Source and result share one stage, which is upright only if both are. */
function isTall({ record: { videoMetadata }, result: { output }, plan }: Comparison): boolean {
  const { width = 0, height = 0 } = output ?? videoMetadata ?? {}
  const [source] = plan?.sources ?? []
  return source !== undefined && source.height > source.width && height > width
}

function OfResult({ result: { kind, url, soundUrl } }: Pick<Comparison, 'result'>) {
  return (
    <figure class="result">
      <figcaption>Result</figcaption>
      <div class="shown">
        {kind === 'picture' ? (
          <img id="result" src={url} alt="Result" />
        ) : (
          <Player kind={kind} id="result" src={url} label="Result" />
        )}
      </div>
      {soundUrl !== undefined && (
        <Player kind="sound" id="result-sound" src={soundUrl} label="Sound of the result" />
      )}
    </figure>
  )
}

type PlayerFacts = { id: string; src: string; label: string } & Pick<ShownResult, 'kind'>

function Player({ kind, id, src, label }: PlayerFacts) {
  if (kind === 'sound') {
    return <audio id={id} src={src} controls preload="metadata" aria-label={label} />
  }
  return <video id={id} src={src} controls playsinline preload="metadata" aria-label={label} />
}

function Wipe() {
  return (
    <>
      <i class="edge needs-script" aria-hidden="true"></i>
      <input
        class="wipe needs-script"
        id="wipe"
        type="range"
        min="0"
        max="100"
        value="50"
        aria-label="Where the picture of the source ends and that of the result begins"
      />
    </>
  )
}

/** The picture is centred in its box, so its frame is, too. */
function ShownPart({ size: { width, height } }: { size: { width: number; height: number } }) {
  return (
    <svg class="part needs-script" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" width={width} height={height}>
        <path class="outside" />
        <rect class="frame" />
      </svg>
    </svg>
  )
}

function Controls({ kind }: Pick<ShownResult, 'kind'>) {
  return (
    <div class="controls needs-script">
      <button type="button" class="button primary" id="play">
        Play
      </button>
      <output id="clock"></output>
      {kind !== 'picture' && (
        <fieldset>
          <legend class="aside">Sound</legend>
          <span aria-hidden="true">Sound of</span>
          <label>
            <input type="radio" name="heard" value="source" /> source
          </label>
          <label>
            <input type="radio" name="heard" value="result" checked /> result
          </label>
        </fieldset>
      )}
      {kind !== 'sound' && (
        <label>
          <input type="checkbox" id="beside" /> Side by side
        </label>
      )}
    </div>
  )
}

type LevelsFacts = {
  plan: ShownPlan | undefined
  /** Whether a script of the page measures both sounds. */
  isMeasured: boolean
}

/** How loud source and result are: as Spool measured it where it had to, and as the browser measures it. */
function Levels({ plan, isMeasured }: LevelsFacts) {
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
