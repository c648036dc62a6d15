import type { Reader, Setting } from '../../worker/contract/settings/setting.ts'
import { operatorSettings, settingsReadBy } from '../../worker/contract/settings/table.ts'

/** The default as people read it. */
export function shownFallback({ fallback, shownFallback, neededBy }: Setting): string {
  if (shownFallback !== undefined) return shownFallback
  if (typeof fallback === 'string') return fallback === '' ? 'none' : fallback
  return neededBy ? 'required' : 'none'
}

type Named = readonly (readonly [string, Setting])[]

/** The settings as `--help` lists them, one a line. */
export function settingLines(settings: Named, fallbackOf = shownFallback): string {
  const width = Math.max(...settings.map(([name]) => name.length))
  const lines = settings.map(([name, setting]) => {
    const notes = `${setting.meaning} (default: ${fallbackOf(setting)})`
    return `  ${name.padEnd(width)}  ${notes.replaceAll('`', '')}`
  })
  return lines.join('\n')
}

/** The texts about settings in docs/operators/configuration.md, by the names of the marks around them. */
export function settingsTexts(): Record<string, string> {
  return {
    'settings of an operator': tableOf(
      ['Variable', 'Meaning', 'Default', 'Example'],
      operatorSettings,
    ),
    'what the Worker reads of them': listOfNames('worker'),
    'further settings of the Worker': tableOf(
      ['Name', 'Meaning', 'Default'],
      setByTheService('worker'),
    ),
    'what a media worker reads of them': listOfNames('media'),
    'further settings of a media worker': tableOf(
      ['Name', 'Meaning', 'Default'],
      setByTheService('media'),
    ),
  }
}

/** `A`, `B`, `C`: the settings of an operator that this program reads. */
function listOfNames(reader: Reader): string {
  const read = operatorSettings.filter(([, { readBy }]) => readBy.includes(reader))
  return `${read.map(([name]) => `\`${name}\``).join(', ')}.`
}

function setByTheService(reader: Reader): Named {
  return settingsReadBy(reader).filter(([, { example }]) => example === undefined)
}

function tableOf(heads: readonly string[], settings: Named): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const rows = settings.map(([name, setting]) => {
    const { meaning, example = '', isSecret } = setting
    const said = isSecret && !meaning.startsWith('Secret') ? `Secret. ${meaning}` : meaning
    return row(
      [`\`${name}\``, said, shownFallback(setting), `\`${example}\``].slice(0, heads.length),
    )
  })
  return [row(heads), row(heads.map(() => '---')), ...rows].join('\n')
}
