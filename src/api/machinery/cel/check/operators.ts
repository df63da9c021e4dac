// The signatures of operators that have no implementation in the libraries, because they do not evaluate all of their operands or because
// macros add them.
// Kubernetes: github.com/google/cel-go/common/stdlib.Functions
import { bool, bytes, type CelType, double, duration, int, listOf, mapOf, optionalOf, param, string, timestamp, uint } from '../cel-type.ts'
import { type Functions, global, member } from '../functions.ts'

const [A, B, K, V] = [param('A'), param('B'), param('K'), param('V')]
const none = () => undefined
const signature = (args: readonly CelType[], result: CelType) => global(args, result, none)
const logic = [signature([bool, bool], bool)]

export const operators: Functions = {
  '_&&_': logic,
  '_||_': logic,
  '_?_:_': [signature([bool, A, A], A)],
  '@not_strictly_false': [signature([bool], bool)],
  '_[_]': [
    signature([listOf(A), int], A),
    signature([mapOf(A, B), A], B),
    signature([optionalOf(listOf(V)), int], optionalOf(V)),
    signature([optionalOf(mapOf(K, V)), K], optionalOf(V)),
  ],
  '_[?_]': [
    signature([listOf(V), int], optionalOf(V)),
    signature([optionalOf(listOf(V)), int], optionalOf(V)),
    signature([mapOf(K, V), K], optionalOf(V)),
    signature([optionalOf(mapOf(K, V)), K], optionalOf(V)),
  ],
  'cel.@mapInsert': [signature([mapOf(K, V), K, V], mapOf(K, V)), signature([mapOf(K, V), mapOf(K, V)], mapOf(K, V))],
  '@sortByAssociatedKeys': [int, uint, double, bool, duration, timestamp, string, bytes].map((type) =>
    member([listOf(A), listOf(type)], listOf(A), none),
  ),
}
