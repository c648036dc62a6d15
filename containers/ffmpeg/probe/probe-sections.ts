import { guardedInput } from '../../graph/compile-args.ts'
import { linesOf } from '../process/lines-of.ts'
import { runTool, type ToolContext } from '../process/run-tool.ts'

/** One packet, stream, frame or format as `ffprobe -of compact` writes it, with its subsections. */
export class ProbeSection {
  readonly kind: string
  readonly #fields: readonly string[]
  /** A list of fields for each side data. */
  readonly #sideData: string[][] = []

  constructor(line: string) {
    const [kind = '', ...fields] = fieldsOf(line)
    this.kind = kind
    const at = fields.findIndex((field) => field === sideDataKind)
    this.#fields = at < 0 ? fields : fields.slice(0, at)
    if (at >= 0) this.addSideData(fields.slice(at))
  }

  addSideData(fields: readonly string[]): void {
    for (const field of fields) {
      if (field === sideDataKind) this.#sideData.push([])
      else this.#sideData.at(-1)?.push(field)
    }
  }

  /** Reads one field, without keeping the others: a film has hundreds of thousands of packets. */
  value(name: string): string | undefined {
    const field = this.#fields.find((one) => one.startsWith(name) && one[name.length] === '=')
    return field?.slice(name.length + 1)
  }

  /** Fields of a subsection carry its name: `tag:location=…`. */
  values(): ReadonlyMap<string, string> {
    return new Map(this.#fields.map(splitOnce))
  }

  sideData(): ReadonlyMap<string, string>[] {
    return this.#sideData.map((fields) => new Map(fields.map(splitOnce)))
  }

  hasSideData(type: string): boolean {
    return this.#sideData.some((fields) =>
      fields.some((field) => field.startsWith(`side_data_type=${type}`)),
    )
  }
}

const sideDataKind = 'side_data'

/** Streams as ffprobe describes them, and the file to which they belong. */
export type ToldStreams = { readonly of: string; readonly streams: readonly ProbeSection[] }

/** Asks ffprobe about a file, and passes on each section of its answer as soon as it is complete. */
export async function probeSections(
  tools: ToolContext,
  { path, demuxer }: { readonly path: string; readonly demuxer: string },
  asked: readonly string[],
  onSection: (section: ProbeSection) => void,
): Promise<void> {
  const { feed, finish } = readSections(onSection)
  const args = ['-v', 'error', ...asked, '-of', 'compact', ...guardedInput(path, demuxer)]
  await runTool(tools, 'ffprobe', args, (chunk) => {
    feed(chunk)
    return true
  })
  finish()
}

/**
 * Reads the output of `ffprobe -of compact` as it arrives. The first side data of a section stands on its line, and every other
 * one on a line of its own after it, so a section is complete only when the next one begins.
 */
export function readSections(onSection: (section: ProbeSection) => void) {
  let open: ProbeSection | undefined
  const finish = (): void => {
    const whole = open
    open = undefined
    if (whole) onSection(whole)
  }
  const feed = linesOf((line) => {
    if (line === '') return
    if (open && isSideData(line)) {
      open.addSideData(fieldsOf(line))
      return
    }
    finish()
    open = new ProbeSection(line)
  })
  return { feed, finish }
}

function isSideData(line: string): boolean {
  return line.startsWith(sideDataKind) && (line[sideDataKind.length] ?? '|') === '|'
}

/** ffprobe writes a backslash before a bar that is part of a value. */
function fieldsOf(line: string): string[] {
  if (!line.includes('\\')) return line.split('|')
  return [...line.matchAll(/(?:\\.|[^\\|])+|(?<=\|)(?=\||$)/g)].map(([field]) => field)
}

function splitOnce(field: string): [string, string] {
  const at = field.indexOf('=')
  return at < 0 ? [field, ''] : [field.slice(0, at), field.slice(at + 1)]
}
