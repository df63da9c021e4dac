// Commands of agnhost, the test image of Kubernetes, that are not servers, as shell scripts.
// Ours: what the test image agnhost does, another program.

import { readSecondsOrDurationMs } from '../../base/duration.ts'
import { quoteCommand } from '../../base/shell-quoting.ts'
import { flagValue } from '../shell/flag-value.ts'
import { isAgnhost } from './image-behavior.ts'

/** An equivalent of the command, whose first word is the program. Undefined for other commands. */
export function agnhostCommand(image: string, words: readonly string[]): readonly string[] | undefined {
  if (!isAgnhost(image) || !/(?:^|\/)agnhost[^/]*$/.test(words[0] ?? '')) return undefined
  switch (words[1]) {
    case 'entrypoint-tester':
      return ['echo', `[${words.join(' ')}]`]
    case 'logs-generator':
      return generateLogs(words.slice(2))
    case 'mounttest':
      return testMounts(words.slice(2))
    default:
      return undefined
  }
}

function generateLogs(words: readonly string[]): readonly string[] {
  const lines = Number(flagValue(words, 'log-lines-total', '-t') ?? 0)
  const durationMs = readSecondsOrDurationMs(flagValue(words, 'run-duration', '-d') ?? '') ?? 0
  if (!(lines > 0) || durationMs <= 0) return ['sh', '-c', 'exit 255']
  const line = 'I$(date +%m%d) $(date +%H:%M:%S).000000       1 logs_generator.go:76] $i GET /api/v1/namespaces/$n/pods/p$i 200'
  const steps = [
    'n=default',
    '[ $((i % 2)) -eq 0 ] && n=kube-system',
    `echo "${line}"`,
    `sleep ${durationMs / lines / 1000}`,
    'i=$((i + 1))',
  ]
  return ['sh', '-c', `i=0; while [ $i -lt ${lines} ]; do ${steps.join('; ')}; done`]
}

/** The loop of `--file_content_in_loop` ends when the file has the expected content, or after `--retry_time`; it fails where the file could not be read at last. */
function testMounts(words: readonly string[]): readonly string[] {
  if (!flagValue(words, 'file_content_in_loop')) return ['mounttest', ...words]
  const seconds = Number.parseInt(flagValue(words, 'retry_time') ?? '180', 10) || 0
  const flags = quoteCommand(words)
  const turn = `mounttest-turn ${flags}; code=$?; [ $code -eq 0 ] && break; sleep 2`
  return [
    'sh',
    '-c',
    `mounttest ${flags}; first=$?; code=0; while [ $SECONDS -lt ${seconds} ]; do ${turn}; done; [ $first -eq 0 ] && [ $code -ne 2 ]`,
  ]
}
