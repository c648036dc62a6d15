import type { PutPreset } from '../../api-types.ts'
import { buildRequest, freeFlags } from '../arguments/build-request.ts'
import type { Command } from '../arguments/command.ts'
import { textFlag } from '../arguments/flag.ts'
import { requestFlags } from '../arguments/request-flags.ts'
import type { Session } from '../session/session.ts'
import { textTable } from '../terminal/text-table.ts'

const listPresets: Command = {
  name: 'presets list',
  summary: 'List options that are kept under a name',
  examples: { 'Yours, then those of the service': 'spool presets list' },
  async run(_, session) {
    const { screen, common, signal } = session
    const presets = await (await session.spool()).presets.list({ signal }).all()
    if (common.json) return screen.printJson(presets)
    const columns = ['NAME', 'FROM', { heading: 'OPTIONS', isCut: true }]
    const rows = presets.map(({ name, builtIn, fields, description }) => [
      name,
      builtIn ? 'the service' : 'you',
      description ?? fieldsText(fields),
    ])
    screen.print(textTable(columns, rows, screen.columns))
  },
}

const showPreset: Command = {
  name: 'presets show',
  summary: 'Print the options of a preset as JSON, for --options',
  positionals: { name: 'NAME', least: 1, most: 1 },
  examples: { 'To change a copy': 'spool presets show vertical > mine.json' },
  async run({ first }, session) {
    const { screen, common, signal } = session
    const preset = await (await session.spool()).presets.get(first, { signal })
    screen.print(JSON.stringify(common.json ? preset : preset.fields, null, 2))
  },
}

const sourceFields = ['fileUrl', 'files', 'uploadId', 'sourceVideoId', 'preset', 'values']

const savePreset: Command = {
  name: 'presets save',
  summary: 'Keep options under a name, for --preset',
  about: [
    'A preset of yours with this name is replaced. Texts may have {{names}} in them, which --value fills in a run; --set and --options put one in place of a number: --set compressionQuality={{quality}}.',
  ],
  positionals: { name: 'NAME', least: 1, most: 1 },
  flags: [
    textFlag('description', 'TEXT', 'For people: what it is for'),
    ...freeFlags.filter(({ name }) => name !== 'value'),
  ],
  requestFlags: requestFlags.filter(({ field }) => !sourceFields.includes(field)),
  examples: {
    'Upright and quiet': 'spool presets save reel --aspect-ratio 9:16 --remove-noise',
    'From a file': 'spool presets save mine --options mine.json',
  },
  async run(given, session) {
    const { screen, common, signal } = session
    const fields = buildRequest(given) as PutPreset['fields']
    const preset = { fields, description: given.text('description') }
    const saved = await (await session.spool()).presets.put(given.first, preset, { signal })
    if (common.json) screen.printJson(saved)
    else screen.note(`${screen.mark('good')} Saved ${saved.name}: ${fieldsText(saved.fields)}`)
  },
}

const deletePreset: Command = {
  name: 'presets delete',
  summary: 'Forget a preset of yours',
  positionals: { name: 'NAME', least: 1, most: 1 },
  examples: { Forget: 'spool presets delete reel' },
  run: async ({ first }, session) => forget(session, 'presets', first),
}

/** Deletes what is kept under a name. */
export async function forget(
  session: Session,
  kind: 'presets' | 'storages',
  name: string,
): Promise<void> {
  const { screen, common, signal } = session
  await (await session.spool())[kind].delete(name, { signal })
  screen.note(`${screen.mark('good')} Deleted ${name}`)
  if (common.json) screen.printJson({ deleted: name })
}

function fieldsText(fields: object): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ')
}

export const presetCommands: readonly Command[] = [
  listPresets,
  showPreset,
  savePreset,
  deletePreset,
]
