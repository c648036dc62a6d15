import { diskLevels, judgeDisk, type DiskRoom } from '../contract/job/disk-space.ts'
import type { Health } from '../contract/answers/health.ts'
import { metricMeanings, metricType, type MetricName } from '../contract/answers/metrics.ts'
import { fillLevels } from './limits/database-fill.ts'
import type { ServiceState } from './service-state.ts'

type Labels = Readonly<Record<string, string>>
type Metric = { labels?: Labels; value: number }
type Requests = {
  isolate: string
  counts: readonly (readonly [status: number, count: number])[]
}

/** What this isolate knows without asking the database. */
type MeasuredService = {
  version: string
  requests: Requests
  checks: Health['checks']
  databaseErrors: readonly (readonly [code: string, count: number])[]
  /** Only where jobs have containers of their own. */
  containersRefused: number | undefined
  /** Undefined while the dispatcher does not answer. */
  partsLent: number | undefined
}

type Metrics = Partial<Record<MetricName, Metric[]>>

/** The samples of every metric; without the state of the service, those that do not need it. */
export function sampleMetrics(state: ServiceState | undefined, known: MeasuredService): Metrics {
  const { isolate, counts } = known.requests
  return {
    spool_info: [{ labels: { version: known.version }, value: 1 }],
    ...(state && sampleState(state)),
    spool_check: Object.entries(known.checks).map(([check, { status }]) => ({
      labels: { check },
      value: status === 'ok' ? 1 : 0,
    })),
    spool_database_errors_total: known.databaseErrors.map(([code, value]) => ({
      labels: { isolate, code },
      value,
    })),
    ...(known.containersRefused !== undefined && {
      spool_containers_refused: [{ value: known.containersRefused }],
    }),
    ...(known.partsLent !== undefined && { spool_parts_lent: [{ value: known.partsLent }] }),
    spool_requests_total: counts.map(([status, value]) => ({
      labels: { isolate, status: String(status) },
      value,
    })),
  }
}

function sampleState(state: ServiceState): Metrics {
  return {
    spool_jobs: byLabel('status', { queued: state.queued, running: state.running }),
    spool_queue_oldest_seconds: [{ value: secondsSince(state.oldestQueuedAt, state.at) }],
    spool_jobs_dead_lettered: [{ value: state.deadLetteredOpen }],
    spool_jobs_dead_lettered_kept: [{ value: state.deadLettered }],
    spool_videos_total: byLabel('result', {
      succeeded: state.succeeded,
      failed: state.failed,
      canceled: state.canceled,
    }),
    spool_video_seconds_total: byLabel('direction', { in: state.secondsIn, out: state.secondsOut }),
    spool_processor_seconds_total: [{ value: state.processorSeconds }],
    spool_copies_failed_total: [{ value: state.copiesFailed }],
    ...sampleMediaWorkers(state),
    spool_webhook_deliveries: byLabel('status', {
      pending: state.deliveriesPending,
      exhausted: state.deliveriesExhausted,
    }),
    spool_webhook_oldest_pending_seconds: [{ value: secondsSince(state.oldestDueAt, state.at) }],
    spool_storage_bytes: [{ value: state.storageBytes }],
    spool_database_bytes: [{ value: state.database.bytes }],
    spool_database_limit_bytes: [{ value: state.database.mostBytes }],
    spool_database_level: [{ value: Object.keys(fillLevels).indexOf(state.database.level) }],
    ...sampleDisk(state),
  }
}

/** No samples where the service runs on no disk of its own. */
function sampleDisk({ disk }: ServiceState) {
  const sample = (value: (room: DiskRoom) => number): Metric[] =>
    disk ? [{ value: value(disk) }] : []
  return {
    spool_disk_free_bytes: sample(({ freeBytes }) => freeBytes),
    spool_disk_reserve_bytes: sample(({ reserveBytes }) => reserveBytes),
    spool_disk_level: sample((room) => diskLevels.indexOf(judgeDisk(room))),
  }
}

function sampleMediaWorkers({ mediaWorkers }: ServiceState) {
  const answering = mediaWorkers.filter((one) => one.up)
  const sample = (value: (one: (typeof answering)[number]) => number): Metric[] =>
    answering.map((one) => ({ labels: { worker: one.url }, value: value(one) }))
  return {
    spool_media_worker_up: mediaWorkers.map(({ url, up }) => ({
      labels: { worker: url },
      value: up ? 1 : 0,
    })),
    spool_media_worker_slots: sample(({ slots }) => slots),
    spool_media_worker_running: sample(({ running }) => running),
    spool_media_worker_disk_level: sample(({ disk }) => diskLevels.indexOf(disk)),
    spool_media_worker_fetching: sample(({ fetching }) => fetching),
  }
}

function byLabel(label: string, values: Readonly<Record<string, number>>): Metric[] {
  return Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }))
}

function secondsSince(at: number | null, now: number): number {
  return at === null ? 0 : Math.max(0, (now - at) / 1000)
}

/** Prometheus' text format, version 0.0.4. */
export function formatMetrics(samples: Metrics): string {
  const families = Object.entries(metricMeanings).map(([name, help]) => {
    // Object.entries() loses the type of the keys; the table has no others.
    const lines = (samples[name as MetricName] ?? []).map(
      ({ labels = {}, value }) => `${name}${formatLabels(labels)} ${value}`,
    )
    return [`# HELP ${name} ${help}`, `# TYPE ${name} ${metricType(name)}`, ...lines].join('\n')
  })
  return `${families.join('\n')}\n`
}

function formatLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => {
    const escaped = value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
    return `${name}="${escaped}"`
  })
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}
