/** The labels that the model can tell apart (the 80 kinds of the COCO data), in the order of its channels. */
export const labels = [
  ...['person', 'bicycle', 'car', 'motorcycle', 'airplane', 'bus', 'train', 'truck', 'boat'],
  ...['traffic light', 'fire hydrant', 'stop sign', 'parking meter', 'bench', 'bird', 'cat'],
  ...['dog', 'horse', 'sheep', 'cow', 'elephant', 'bear', 'zebra', 'giraffe', 'backpack'],
  ...['umbrella', 'handbag', 'tie', 'suitcase', 'frisbee', 'skis', 'snowboard', 'ball', 'kite'],
  ...['baseball bat', 'baseball glove', 'skateboard', 'surfboard', 'tennis racket', 'bottle'],
  ...['wine glass', 'cup', 'fork', 'knife', 'spoon', 'bowl', 'banana', 'apple', 'sandwich'],
  ...['orange', 'broccoli', 'carrot', 'hot dog', 'pizza', 'donut', 'cake', 'chair', 'couch'],
  ...['potted plant', 'bed', 'dining table', 'toilet', 'tv', 'laptop', 'mouse', 'remote control'],
  ...['keyboard', 'cell phone', 'microwave', 'oven', 'toaster', 'sink', 'refrigerator', 'book'],
  ...['clock', 'vase', 'scissors', 'teddy bear', 'hair dryer', 'toothbrush'],
] as const

export type Label = (typeof labels)[number]
