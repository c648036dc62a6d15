-- What the operator calls a key, so that one of several can be told apart when it has to go.
ALTER TABLE api_keys ADD COLUMN name TEXT;
