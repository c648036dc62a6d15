import type { PresetChoice } from './new-video-view.ts'

/** What people come for, as a start for the options below. Own ones are kept by name. */
export function PresetsView({
  presets,
  chosen,
}: {
  presets: readonly PresetChoice[]
  chosen: unknown
}) {
  return (
    <fieldset class="presets" id="field-preset" data-presets>
      <legend>Preset</legend>
      <div class="chips">
        <PresetChip name="" label="None" isChosen={chosen === undefined} />
        {presets.map(({ name, description, builtIn, fields }) => (
          <PresetChip
            {...{ name, builtIn, fields }}
            label={builtIn ? words(name) : name}
            title={description ?? undefined}
            isChosen={name === chosen}
          />
        ))}
      </div>
      <p class="hint" data-preset-hint>
        A preset fills in the options; what you change afterwards stays changed.
      </p>
      <KeepPreset />
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
      <p class="fault" data-preset-fault role="alert" hidden></p>
    </details>
  )
}

type ChipProps = {
  name: string
  label: string
  title?: string | undefined
  builtIn?: boolean
  fields?: object
  isChosen: boolean
}

function PresetChip({ name, label, title, fields = {}, isChosen }: ChipProps) {
  return (
    <label class="chip" title={title}>
      <input
        type="radio"
        name="preset"
        value={name}
        checked={isChosen}
        data-fields={JSON.stringify(fields)}
        data-description={title}
      />
      {label}
    </label>
  )
}

/** `clean-talk` → "Clean talk" */
function words(name: string): string {
  const text = name.replaceAll('-', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
