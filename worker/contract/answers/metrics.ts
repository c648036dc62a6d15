/** Every metric of /metrics. The board in docs/ shows these and no others. */
export const metricMeanings = {
  spool_info: 'The version of the service; always 1',
  spool_jobs: 'Jobs that have not ended, by status',
  spool_queue_oldest_seconds: 'How long the oldest queued job has existed; 0 without one',
  spool_jobs_dead_lettered:
    'Jobs that have not ended and whose message ended in the dead-letter queue',
  spool_jobs_dead_lettered_kept:
    'The same with those that have ended since, until their videos are deleted',
  spool_videos_total: 'Videos that have ended, by result',
  spool_video_seconds_total:
    'Length of videos that succeeded: their sources (in), and their results (out)',
  spool_processor_seconds_total:
    'Time in which media workers measured, rendered, transcribed and analysed',
  spool_copies_failed_total:
    'Videos whose copied pictures did not prove to be exact, so they were encoded',
  spool_media_worker_up: 'Whether a media worker with an address answers',
  spool_media_worker_slots: 'Jobs that a media worker can work on at once',
  spool_media_worker_running: 'Jobs that it works on',
  spool_media_worker_fetching: 'Further jobs that wait there for slow sources',
  spool_media_worker_disk_level:
    'Its disk: 1 below the reserve, where it takes no new job, 2 below half of it, where its jobs end; else 0',
  spool_parts_lent:
    'Slots in which parts of long films are rendered beside the jobs of these films',
  spool_containers_refused:
    'How often in a row the container of a job could not be started while none ran; 0 where all is well',
  spool_webhook_deliveries: 'Deliveries in the log of 30 days that are pending or exhausted',
  spool_webhook_oldest_pending_seconds:
    'How long the oldest pending delivery has existed; 0 without one',
  spool_storage_bytes: 'Results and uploaded sources in the bucket',
  spool_database_bytes: 'Size of the database',
  spool_database_limit_bytes: 'What the database may hold',
  spool_database_level:
    '1 from 60 % of that on, 2 from 80 %, 3 from 95 %, where no new video is accepted; else 0',
  spool_disk_free_bytes: 'What is free on the disk of the service; absent where it is deployed',
  spool_disk_reserve_bytes: 'With less free than this, no new video or upload is accepted',
  spool_disk_level:
    '1 below that reserve, 2 below half of it, where jobs end and logs leave out lines; else 0',
  spool_check: 'The checks of /health: 1 for a part that is well, 0 for one that fails',
  spool_database_errors_total:
    'Answers of the database that say it is damaged, full or out of reach, as the isolate that answers this scrape has met them, by code',
  spool_requests_total:
    'Requests answered by the isolate that answers this scrape, by status; locally that is every request',
} as const satisfies Record<string, string>
export type MetricName = keyof typeof metricMeanings

/** The names of counters end in _total, and those of no others. */
export function metricType(name: string): 'gauge' | 'counter' {
  return name.endsWith('_total') ? 'counter' : 'gauge'
}
