import type { Child } from 'hono/jsx'
import type { PresetChoice } from './new-video-view.ts'
import { upperFirst } from '../../contract/upper-first.ts'

/** Presets as a start for the options below. Those of the account are kept by name. */
export function PresetsView({
  presets,
  chosen,
}: {
  presets: readonly PresetChoice[]
  chosen: unknown
}) {
  return (
    <fieldset class="presets" id="field-preset" data-presets>
      <legend>What to make of it</legend>
      <div class="cards">
        <PresetCard
          name=""
          label="My own"
          title="You choose everything yourself"
          isChosen={chosen === undefined}
        />
        {presets.map(({ name, description, builtIn, fields, values }) => (
          <PresetCard
            {...{ name, builtIn, fields }}
            values={values.map((value) => value.name)}
            label={builtIn ? upperFirst(name.replaceAll('-', ' ')) : name}
            title={description ?? undefined}
            isChosen={name === chosen}
          />
        ))}
      </div>
      <p class="hint" data-preset-hint>
        A preset fills in the options; what you change afterwards stays changed.
      </p>
      <button type="button" class="button small needs-script" data-delete-preset hidden>
        Delete this preset
      </button>
      <KeepPreset />
      <p class="fault" data-preset-fault role="alert" hidden></p>
    </fieldset>
  )
}

function KeepPreset() {
  return (
    <details class="keep needs-script">
      <summary>Keep these options as a preset</summary>
      <div class="row">
        <label for="preset-name">Name of the preset</label>
        <input
          class="input"
          id="preset-name"
          placeholder="my-podcast"
          maxlength={63}
          autocomplete="off"
        />
        <button type="button" class="button" data-keep-preset>
          Save preset
        </button>
      </div>
    </details>
  )
}

type CardProps = {
  name: string
  label: string
  title?: string | undefined
  builtIn?: boolean
  fields?: object
  values?: readonly string[]
  isChosen: boolean
}

function PresetCard({ name, label, title, isChosen, ...preset }: CardProps) {
  const { builtIn = true, fields = {}, values = [] } = preset
  return (
    <label class="card" title={title}>
      <input
        type="radio"
        name="preset"
        value={name}
        checked={isChosen}
        data-built-in={builtIn}
        data-fields={JSON.stringify(fields)}
        data-values-of={JSON.stringify(values)}
        data-description={title}
      />
      <svg viewBox="0 0 96 54" width="96" height="54" aria-hidden="true">
        {(builtIn ? pictures[name] : undefined) ?? sliders}
      </svg>
      <span>{label}</span>
    </label>
  )
}

/** A wave of sound that begins at `x`, with the height of each stroke. */
function wave(x: number, heights: readonly number[]) {
  const strokes = heights.map((height, i) => `M${x + i * 4} ${27 - height}v${height * 2}`)
  return <path d={strokes.join('')} class="ink" />
}

const sliders = (
  <>
    <path d="M24 17h48M24 27h48M24 37h48" class="line" />
    <path d="M38 17h.01M58 27h.01M44 37h.01" class="knob" />
  </>
)

/** A drawing of what each built-in preset does. */
const pictures: Readonly<Record<string, Child>> = {
  'clean-talk': (
    <>
      {wave(10, [4, 9, 13, 7, 11, 5])}
      <rect x="34" y="10" width="27" height="34" rx="2" class="cut" />
      {wave(66, [6, 12, 8, 14, 9, 4])}
    </>
  ),
  'vertical-clip': (
    <>
      <rect x="10" y="10" width="76" height="34" rx="2" class="line dashed" />
      <rect x="38.5" y="5" width="19" height="44" rx="2" class="frame-line" />
      <path d="M43 40h10" class="accent" />
    </>
  ),
  'join-clips': (
    <>
      <rect x="9" y="15" width="32" height="24" rx="2" class="frame-line" />
      <rect x="55" y="15" width="32" height="24" rx="2" class="frame-line" />
      <path d="M48 22v10M43 27h10" class="accent" />
    </>
  ),
  captions: (
    <>
      <rect x="18" y="8" width="60" height="38" rx="2" class="frame-line" />
      <path d="M30 34h15M50 34h16M36 40h24" class="accent" />
    </>
  ),
}
