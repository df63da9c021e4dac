// The numbers of kube-controller-manager's own test cases (v1.36) for stabilization windows.

/** Stabilization windows. A recommendation: how many seconds ago, and the replicas. */
export interface WindowCase {
  readonly recommendations: readonly (readonly [number, number])[]
  readonly current: number
  readonly wanted: number
  readonly replicas: number
  readonly upSeconds: number
  readonly downSeconds: number
}

export const windowCases: readonly WindowCase[] = [
  { recommendations: [], current: 100, wanted: 5, replicas: 5, upSeconds: 0, downSeconds: 0 },
  {
    recommendations: [
      [120, 4],
      [60, 5],
    ],
    current: 100,
    wanted: 3,
    replicas: 5,
    upSeconds: 0,
    downSeconds: 180,
  },
  {
    recommendations: [
      [120, 4],
      [60, 5],
    ],
    current: 1,
    wanted: 7,
    replicas: 4,
    upSeconds: 300,
    downSeconds: 0,
  },
  {
    recommendations: [
      [120, 1],
      [60, 2],
    ],
    current: 100,
    wanted: 3,
    replicas: 3,
    upSeconds: 300,
    downSeconds: 0,
  },
  {
    recommendations: [
      [120, 4],
      [60, 5],
    ],
    current: 1,
    wanted: 3,
    replicas: 3,
    upSeconds: 0,
    downSeconds: 300,
  },
  {
    recommendations: [
      [600, 10],
      [540, 9],
    ],
    current: 100,
    wanted: 3,
    replicas: 3,
    upSeconds: 0,
    downSeconds: 0,
  },
  {
    recommendations: [
      [600, 10],
      [540, 9],
    ],
    current: 1,
    wanted: 100,
    replicas: 100,
    upSeconds: 0,
    downSeconds: 0,
  },
  {
    recommendations: [
      [600, 10],
      [60, 4],
      [120, 5],
      [540, 9],
    ],
    current: 100,
    wanted: 3,
    replicas: 5,
    upSeconds: 0,
    downSeconds: 180,
  },
  {
    recommendations: [
      [6000, 10],
      [60, 6],
      [120, 5],
      [180, 9],
    ],
    current: 1,
    wanted: 100,
    replicas: 5,
    upSeconds: 300,
    downSeconds: 0,
  },
  {
    recommendations: [
      [6000, 2],
      [180, 3],
    ],
    current: 2,
    wanted: 1,
    replicas: 2,
    upSeconds: 300,
    downSeconds: 300,
  },
  {
    recommendations: [
      [6000, 2],
      [180, 1],
    ],
    current: 2,
    wanted: 3,
    replicas: 2,
    upSeconds: 300,
    downSeconds: 300,
  },
]
