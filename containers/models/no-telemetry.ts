/**
 * The ONNX runtime reports its use to its maker, over the network and beside everything Node knows of, unless its
 * environment says otherwise. That has to be said before the runtime is loaded, and by the first thread: what other
 * threads write into their environment is theirs alone.
 */
process.env['ORT_DISABLE_TELEMETRY'] = '1'
