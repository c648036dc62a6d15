import type { Judged } from './judged.ts'

type Row = { id: string; renamed: string }
type Renamed = { names: Record<string, string>; files: Record<string, { key: string }> }

/** While the files of a video are kept, those with the names of its speakers have the present names. */
export function judgeNames({ world, database, bucket }: Judged): void {
  const sql = `SELECT id, transcript ->> '$.renamed' AS renamed FROM videos
    WHERE transcript ->> '$.renamed' IS NOT NULL AND files_deleted_at IS NULL AND result ->> '$.outputs."transcript-json"' IS NOT NULL`
  for (const { id, renamed } of database.read<Row>(sql)) {
    const { names, files } = JSON.parse(renamed) as Renamed
    for (const kind of ['transcript-json', 'transcript-txt', 'transcript-vtt', 'transcript-srt']) {
      const object = bucket.objects.get(files[kind]?.key ?? '')
      const text = object && new TextDecoder().decode(object.bytes)
      const isNamed = Object.values(names).every((name) => text?.includes(name))
      if (!isNamed) world.break(`the ${kind} of ${id} does not have the names of its speakers`)
    }
  }
}
