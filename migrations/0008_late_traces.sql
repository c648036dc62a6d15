-- A canceled attempt ends with what the service has seen of it. The trace that its media worker tells once it has stopped takes the
-- place of that, and so does its processor time: the difference is counted on the day of the end.
DROP TRIGGER usage_of_attempt;

CREATE TRIGGER usage_of_attempt AFTER UPDATE OF trace ON job_attempts
WHEN NEW.trace IS NOT NULL
BEGIN
  INSERT INTO usage_changes
  SELECT account_id, NEW.finished_at, 0, 0, 0, 0, 0, measuring, rendering, transcribing, analysing, 0, 0
  FROM jobs, (SELECT sum(measuring * share) AS measuring, sum(rendering * share) AS rendering,
    sum(transcribing * share) AS transcribing, sum(analysing * share) AS analysing
  FROM (SELECT measuring, rendering, transcribing, analysing,
    sign * coalesce((trace ->> '$.processorMs') / nullif(measuring + rendering + transcribing + analysing, 0), 1) / 1000.0 AS share
  FROM (SELECT sign, trace,
    coalesce(sum(ms) FILTER (WHERE name = 'measuring'), 0.0) AS measuring,
    coalesce(sum(ms) FILTER (WHERE name = 'rendering'), 0.0) AS rendering,
    coalesce(sum(ms) FILTER (WHERE name = 'transcribing'), 0.0) AS transcribing,
    coalesce(sum(ms) FILTER (WHERE name = 'analysing'), 0.0) AS analysing
  FROM (SELECT sign, trace, phase.value ->> 'name' AS name, 1.0 * (phase.value ->> 'durationMs') AS ms
    FROM (SELECT 1 AS sign, NEW.trace AS trace UNION ALL SELECT -1, OLD.trace) AS told
      LEFT JOIN json_each(told.trace, '$.phases') AS phase)
  GROUP BY sign)))
  WHERE id = NEW.job_id;
END;
