import { expectedOf } from './expected.ts'
import { mishapsInWords } from './mishaps-in-words.ts'
import type { Outcome } from './run-seed.ts'

const idPattern = /\b(?:v|j|msg|dlv|u|b)_\w{8,}/g

/** Puts the lines of a history into words for readers who do not know the code. */
const sayings: readonly [RegExp, string][] = [
  [/^row: status (\S+) (\S+) (\S+).*/, 'Video $1 is now $3 (it was $2).'],
  [/^row: created (\S+) (.*?)\s*$/, 'The database has a new video $1, of the order “$2”.'],
  [/^row: attempt (\S+) (\S+)/, 'Job $1 begins attempt $2.'],
  [
    /^row: event (\S+) (\S+) (\S+)/,
    'The database has a new event $1 for webhooks: $3 of video $2.',
  ],
  [/^row: delivery (\S+) (\S+) (\S+) (\S+)/, 'The webhook $1 is now $3 after $4 attempts.'],
  [
    /^row: progress (\S+) (\S+) (\S+) (.*)/,
    'The progress of video $1 went from $2 to $3 while $4.',
  ],
  [/^row: try (\S+).*/, 'The database has a new attempt of job $1.'],
  [/^row: outcome (\S+) (\S+) (\S+)/, 'Attempt $2 of job $1 has ended: $3.'],
  [/^row: deleted (\S+).*/, 'Video $1 is gone from the database.'],
  [
    /^row: result (\S+) .*/,
    'What the row of video $1 says of its files and where they were delivered has changed.',
  ],
  [/^row: return (\S+)/, 'Video $1 is back in the line.'],
  [
    /^row: began (\S+) (\S+) (\S+).*/,
    'Video $1 takes a turn of account $2, which now stands at $3.',
  ],
  [/^row: job ended (\S+) (\d+).*/, 'Job $1 has ended, with $2 attempts that count.'],
  [/^row: trace (\S+) .*/, 'The database has a report of what the last attempt of job $1 did.'],
  [/^row: round (\S+).*/, 'The webhook $1 is to be sent once more, as if for the first time.'],
  [/^row: left (\S+).*/, 'The record of video $1 has left the database.'],
  [/^row: upload (\S+)/, 'The database has a new upload $1.'],
  [/^row: upload status (\S+) (\S+) (\S+)/, 'Upload $1 is now $3 (it was $2).'],
  [/^row: gone (an?|the) (.*?) (\S+) \d+$/, 'The database forgets $1 $2: $3.'],
  [/^row: words (\S+)/, 'What was heard in video $1 is kept, and it is not at work.'],
  [/^([A-Z]\w+ (?:\d+|plainly)): asks (.*)/, '$1 asks the service: $2'],
  [/^([A-Z]\w+ (?:\d+|plainly)): hears (.*)/, '$1 is answered $2.'],
  [/^([A-Z]\w+ (?:\d+|plainly)): has (v_\S+), job (\S+)/, '$1 has got video $2, whose job is $3.'],
  [/^([A-Z]\w+ (?:\d+|plainly)): has (b_\w+)/, '$1 has got batch $2'],
  [/^spool-(\w+): loses (.*)/, '*** GOES WRONG: the queue “$1” loses a message: $2'],
  [/^BROKEN: (.*)/, '!!! BROKEN: $1'],
  [/^work (\S+)\/(\d+): ends: (.*)/, 'The media worker ends its work on job $1, attempt $2: $3.'],
  [/^lead (\S+)\/(\d+): (.*)/, 'The media worker that leads the film of job $1, attempt $2, $3'],
  [
    /^part (\S+)\/(\d+)\/(\d+): ends: (.*)/,
    'The maker of part $3 for job $1, attempt $2, ends with: $4.',
  ],
  [
    /^(.+?) works on (\S+)\/(\d+)( \d+)?: (.*)/,
    'Media worker “$1”, at attempt $3 of job $2, sends $5',
  ],
  [
    /^(.+?) makes part (\d+) of (\S+)\/(\d+)( \d+)?: (.*)/,
    'Media worker “$1”, at part $2 for job $3, attempt $4, sends $6',
  ],
  [
    /^JobRunner\(([^\s:]+):(\d+)\)\.(\w+)( \d+)?: (.*)/,
    'The object of slot $2, lent to job $1, at “$3”, asks $5',
  ],
  [/^JobRunner\((\S+)\)\.(\w+)( \d+)?: (.*)/, 'The object of job $1, at “$2”, asks $4'],
  [
    /^WebhookEndpoint\((\S+) (\S+)\)\.(\w+)( \d+)?: (.*)/,
    'The object that sends webhooks to $2, at “$3”, asks $5',
  ],
  [/^Courier\((\S+)\)\.(\w+)( \d+)?: (.*)/, 'The courier of video $1, at “$2”, asks $4'],
  [/^Dispatcher\(slots\)\.(\w+)( \d+)?: (.*)/, 'The dispatcher of slots, at “$1”, asks $3'],
  [/^tick (\d+)( \d+)?: (.*)/, 'The sweep of the minute asks $3'],
  [/^spool-(\w+) .*?: (.*)/, 'The reader of the queue “$1” asks $2'],
  [/^(\S+) \/jobs\S* .*: (POST https:\S+)$/, 'Media worker “$1” sends $2'],
  [/^(\w+) (\S+) for (.+?): (.*)/, 'The service, to answer $1 $2, asks $4'],
]

/** Nobody reads the further digits. */
const longFraction = /(\d\.\d)\d{4,}/g

/** Whom a line asks, and for what. */
const asked: readonly [RegExp, string][] = [
  [/, asks arrives late: D1 (.*)$/, ', has died, and what it has sent reaches the database: $1'],
  [/, asks arrives late: R2 (.*)$/, ', has died, and what it has sent reaches the bucket: $1'],
  [/ asks arrives late: (.*)$/, ' has died, and what it has sent arrives: $1'],
  [/ asks logs (\w+), (.*)$/, ' notes in its log ($1): $2'],
  [/ sends POST \S+\/parts\/(\d+)\/\d+\/reports$/, ' reports about that part.'],
  [/ sends POST \S+\/reports$/, ' reports to the service.'],
  [/ sends POST \S+\/reports\/parts$/, ' asks the service about parts of its film, or words.'],
  [/ sends POST \S+\/outputs$/, ' asks the service where to store a file.'],
  [/ sends PUT https:\/\/r2\.example\.com\/spool-media\/(\S+)$/, ' stores $1 in the bucket.'],
  [/ sends GET https:\/\/r2\.example\.com\/spool-media\/(\S+)$/, ' fetches $1 from the bucket.'],
  [/ asks ((?:GET|PUT|POST|HEAD|DELETE) https?:)/, ' sends $1'],
  [/: has the upload (\S+)$/, ' has the upload $1.'],
  [/ (asks|sends) D1 (.*)$/, ' $1 the database: $2'],
  [/ (asks|sends) R2 (.*)$/, ' $1 the bucket: $2'],
  [
    / (asks|sends) JobRunner\(([^\s:]+):(\d+)\)\.(\w+)$/,
    ' $1 the object of slot $3, lent to job $2: “$4”',
  ],
  [/ (asks|sends) JobRunner\((\S+)\)\.(\w+)$/, ' $1 the object of job $2: “$3”'],
  [/ (asks|sends) Dispatcher\(slots\)\.(\w+)$/, ' $1 the dispatcher of slots: “$2”'],
  [/ (asks|sends) Courier\((\S+)\)\.(\w+)$/, ' $1 the courier of video $2: “$3”'],
  [
    / (asks|sends) WebhookEndpoint\(\S+ (\S+)\)\.(\w+)$/,
    ' $1 the object that sends webhooks to $2: “$3”',
  ],
  [/ (asks|sends) spool-(\w+) send (.*)$/, ' puts a message into the queue “$2”: $3'],
]

/** The explanation above a diary. */
const legend = [
  'The clock is that of the simulated world. *** marks what goes wrong on purpose, !!! the promise that is broken.',
  'v_… is a video, j_… its job, b_… a batch, u_… an upload, msg_… an event, dlv_… a webhook that tells it. “Ada 7” is the customer Ada with order 7, “Ada plainly” Ada while nothing fails.',
  'A quoted name such as “answerCall” is that of a function in worker/durable/. What repeats itself word for word is told once. An attempt has the number of its offer, and not every offer is taken.',
  '',
]
const mostSigns = 200

/** Lines that only read, change nothing, or pass on what the line before has said. */
const chatter =
  /logs info|KeyGate\(| GET \S+ for [^:]*: (D1 SELECT|\w+\(\S+\)\.(progress|placesOf))|^\S+ GET \S+ for [^:]*: |^\S+ POST \/internal\/\S+ for [^:]*: JobRunner/
/** What may be left out if it was told in the same words among the last lines. */
const repeatable =
  /: asks GET |: hears 200$| works on .*\/reports(\/parts)?$| makes part .*\/reports$|\/health$/
const remembered = 12

/** The events around a broken promise, as sentences with their times. */
export function diaryOf({ lines, broken }: Outcome): string[] {
  const [first = ''] = broken
  const subjects = subjectsOf(lines, first)
  const promised = expectedOf(first)
  const heading = [
    ...(first === '' ? [] : [`What broke: ${first.replace(longFraction, '$1')}.`]),
    ...(promised === undefined ? [] : [`What was promised: ${promised}`]),
  ]
  const told = withoutRepeated(lines.filter((line) => isTold(line, subjects)))
  return [...heading, ...legend, ...told.map(say)]
}

/** Leaves out what says the same as one of the lines before: customers ask how far their video is, again and again. */
function withoutRepeated(lines: readonly string[]): string[] {
  const last: string[] = []
  return lines.filter((line) => {
    const what = line.slice(line.indexOf(' '))
    const isKnown = repeatable.test(line) && last.includes(what)
    if (!isKnown) last.push(what)
    if (last.length > remembered) last.shift()
    return !isKnown
  })
}

/** All events, as sentences. */
export function tellAll({ lines }: Outcome): string[] {
  return lines.map(say)
}

/** The video, job, order and events that a broken promise concerns. */
function subjectsOf(lines: readonly string[], broken: string): Set<string> {
  const subjects = new Set(broken.match(idPattern) ?? [])
  const order = /^([A-Z][a-z]+ \d+):/.exec(broken)?.[1]
  if (order !== undefined) subjects.add(order)
  for (let grown = -1; grown !== subjects.size;) {
    grown = subjects.size
    for (const line of lines) {
      const isLink = /: has (?:v_|b_|the upload )|row: event |row: created /.test(line)
      if (!isLink || ![...subjects].some((subject) => line.includes(subject))) continue
      for (const id of line.match(idPattern) ?? []) subjects.add(id)
      const who = whoIn.exec(line)?.[1]
      if (who !== undefined) subjects.add(who)
    }
  }
  return subjects
}

/** Finds the order that a line belongs to: the line says what it has, or what was made for it. */
const whoIn = /^\S+ (?:row: created \S+ )?([A-Z][a-z]+ \d+)(?:: has|, item|\s*$)/

function isTold(line: string, subjects: ReadonlySet<string>): boolean {
  if (/ (FAULT|BROKEN): /.test(line)) return true
  if (chatter.test(line)) return false
  return [...subjects].some((subject) => line.includes(subject))
}

function say(line: string): string {
  const [, time = '0', exact = ''] = /^(\S+) (.*)$/s.exec(line) ?? []
  const what = exact.replace(longFraction, '$1')
  const fault = /^FAULT: (.*?) \((.*)\) \[(\w+)\]$/.exec(what)
  if (fault) return `${clock(Number(time))}  *** GOES WRONG: ${sayFault(fault)}`
  const [pattern, sentence] = sayings.find(([one]) => one.test(what)) ?? [/^/, '']
  const said = asked.reduce(
    (text, [one, other]) => text.replace(one, other),
    what.replace(pattern, sentence),
  )
  const isCut = said.length > mostSigns && !/^(\*\*\*|!!!)/.test(said)
  return `${clock(Number(time))}  ${isCut ? `${said.slice(0, mostSigns)}…` : said}`
}

function sayFault([, mishap = '', key = '', id = '']: readonly string[]): string {
  const words: Readonly<Record<string, string | undefined>> = mishapsInWords
  return `${words[mishap] ?? mishap} (${mishap}, at: ${key}) [fault ${id}]`
}

function clock(ms: number): string {
  const day = Math.floor(ms / 86_400_000) + 1
  return `day ${day} ${new Date(ms).toISOString().slice(11, 23)}`
}
