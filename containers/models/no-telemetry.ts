/**
 * The ONNX runtime sends usage data to its maker over the network, past Node's own network code, unless its environment
 * forbids it. The variable must be set before the runtime is loaded, and by the main thread: changes that other threads
 * make to their environment do not leave them.
 */
process.env['ORT_DISABLE_TELEMETRY'] = '1'
