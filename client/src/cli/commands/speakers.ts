import type { ChangeVideo, Video } from '../../api-types.ts'
import type { Command, Typed } from '../arguments/command.ts'
import { switchFlag } from '../arguments/flag.ts'
import { CommandError, UsageError } from '../session/command-error.ts'
import { exitCodes } from '../session/exit-code.ts'
import type { Session } from '../session/session.ts'
import { durationText } from '../terminal/quantities.ts'
import { textTable } from '../terminal/text-table.ts'

type Speaker = NonNullable<NonNullable<Video['transcript']>['speakers']>[number]
type NewNames = NonNullable<ChangeVideo['speakerNames']>

export const speakers: Command = {
  name: 'speakers',
  summary: 'Show who speaks in a video that was made with --speakers, and name them',
  about: [
    'The transcript and all of its files use the new names. A speaker who is left out keeps the present name; two with the same name become one.',
  ],
  positionals: { name: 'VIDEO_ID', least: 1, most: 1 },
  flags: [
    {
      ...{ name: 'name', kind: 'text', many: true, value: 'SPEAKER=NAME' },
      help: 'What a speaker is called from now on; without NAME, what the job called them',
    },
    switchFlag('reset', 'Call everybody again what the job called them'),
  ],
  examples: {
    'Who speaks, and for how long': 'spool speakers v_3RB6SiNw',
    'Name two of them': `spool speakers v_3RB6SiNw --name 'Speaker 1=Anna' --name 'Speaker 2=Ben'`,
    'The first name again': 'spool speakers v_3RB6SiNw --name Anna=',
  },
  run: nameSpeakers,
}

async function nameSpeakers(given: Typed, session: Session): Promise<void> {
  const wishes = given.texts('name')
  const isReset = given.isOn('reset')
  if (isReset && wishes.length > 0) throw new UsageError('--name and --reset exclude each other.')
  const { screen, common, signal } = session
  const { videos } = await session.spool()
  const read = await videos.get(given.first, { signal })
  const speakerNames = isReset ? null : namesOf(wishes, speakersOf(read))
  const isAsked = isReset || wishes.length > 0
  const video = isAsked ? await videos.change(given.first, { speakerNames }, { signal }) : read
  const now = speakersOf(video)
  if (common.json) return screen.printJson(now)
  if (isAsked) screen.note(`${screen.mark('good')} Named the speakers of ${given.first}`)
  const columns = ['SPEAKER', 'SPEAKS', 'HEARD AS']
  const rows = now.map(({ name, seconds, heardAs = [] }) => [
    name,
    durationText(seconds),
    heardAs.join(', '),
  ])
  screen.print(textTable(columns, rows, screen.columns))
  if (video.transcript?.speakersCertain === false) {
    screen.note('It is not certain who speaks: the voices are alike, or there is little of them.')
  }
}

/** Names may have a "=" in them, so the longest name that is known in front of one counts. */
function readWish(
  text: string,
  voices: readonly HeardVoices[],
): readonly [who: string, name: string] {
  const ends = [...text.matchAll(/=/g)].map(({ index }) => index)
  const isKnown = (end: number) => voicesOf(text.slice(0, end).trim(), voices) !== undefined
  const at = ends.filter(isKnown).at(-1) ?? ends[0] ?? -1
  const who = text.slice(0, at).trim()
  if (at < 0 || who === '') {
    throw new UsageError(`--name needs SPEAKER=NAME, such as 'Speaker 1=Anna', not '${text}'.`)
  }
  return [who, text.slice(at + 1).trim()]
}

function speakersOf({ videoId, transcript }: Video): readonly Speaker[] {
  const { speakers: found = [], status } = transcript ?? {}
  if (found.length > 0) return found
  if (status === 'pending' || status === 'processing') {
    throw new CommandError('The transcript is not ready yet.', exitCodes.refused, [
      `spool watch ${videoId} waits for it.`,
    ])
  }
  throw new CommandError('The speakers of this video were not told apart.', exitCodes.refused, [
    `spool run ${videoId} --speakers makes it again and tells them apart.`,
  ])
}

/** What the service takes: names by what the job called people. On the command line, they are known by any name. */
function namesOf(wishes: readonly string[], known: readonly Speaker[]): NewNames {
  const voices = known.map(({ name, heardAs = [name] }) => ({ name, heardAs }))
  const names: NewNames = {}
  for (const wish of wishes) {
    const [who, name] = readWish(wish, voices)
    const found = voicesOf(who, voices)
    if (!found) {
      const all = known.map((one) => one.name).join(', ')
      throw new UsageError(`There is no speaker '${who}' in this video.`, [`Speakers are: ${all}`])
    }
    for (const heard of found) {
      if (Object.hasOwn(names, heard)) {
        throw new UsageError(`--name names '${heard}' twice. Give each speaker one name.`)
      }
      names[heard] = name === '' ? null : name
    }
  }
  return names
}

type HeardVoices = { readonly name: string; readonly heardAs: readonly string[] }

/** By what the job called the voices that have a name; undefined if nobody has it. */
function voicesOf(who: string, voices: readonly HeardVoices[]): readonly string[] | undefined {
  if (voices.some(({ heardAs }) => heardAs.includes(who))) return [who]
  return voices.find(({ name }) => name === who)?.heardAs
}
