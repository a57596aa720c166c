# SPDX-License-Identifier: Apache-2.0
"""Builds torchvision's Faster R-CNN with the sizes of one of our recipes, and its training step."""
import functools

import torch
from torch import nn
from torchvision.models import resnet
from torchvision.models.detection import FasterRCNN
from torchvision.models.detection.anchor_utils import AnchorGenerator
from torchvision.models.detection.backbone_utils import BackboneWithFPN
from torchvision.models.detection.faster_rcnn import FastRCNNPredictor, TwoMLPHead
from torchvision.ops import FrozenBatchNorm2d, MultiScaleRoIAlign

BLOCKS = {18: (resnet.BasicBlock, [2, 2, 2, 2]), 34: (resnet.BasicBlock, [3, 4, 6, 3]),
          50: (resnet.Bottleneck, [3, 4, 6, 3]), 101: (resnet.Bottleneck, [3, 4, 23, 3])}
# What torchvision's classes cannot express, or what this file does not translate: key and the only value accepted.
FIXED = {"MODEL.FPN.NORM": "", "MODEL.FPN.FUSE_TYPE": "sum", "MODEL.ROI_BOX_HEAD.NUM_CONV": 0,
         "MODEL.ROI_BOX_HEAD.NUM_FC": 2, "MODEL.ROI_BOX_HEAD.CLS_AGNOSTIC_BBOX_REG": False,
         "MODEL.RESNETS.STRIDE_IN_1X1": False, "MODEL.RESNETS.NUM_GROUPS": 1, "MODEL.RPN.CONV_DIMS": [-1]}


def value(recipe, key):
    for part in key.split("."):
        recipe = recipe[part]
    return recipe


def norm_layer(model):
    kind = model["RESNETS"]["NORM"]
    if kind == "GN":
        return functools.partial(nn.GroupNorm, model["GN_NUM_GROUPS"])
    if kind == "FrozenBN":
        return FrozenBatchNorm2d
    raise ValueError(f"MODEL.RESNETS.NORM is '{kind}'; this comparison knows GN and FrozenBN")


def build_backbone(model):
    sizes = model["RESNETS"]
    block, layers = BLOCKS[sizes["DEPTH"]]
    norm = norm_layer(model)
    net = resnet.ResNet(block, layers, norm_layer=norm)
    # torchvision fixes the widths at 64; its own builder makes the layers again with ours.
    stem, width = sizes["STEM_OUT_CHANNELS"], sizes["RES2_OUT_CHANNELS"] // block.expansion
    net.conv1 = nn.Conv2d(3, stem, 7, 2, 3, bias=False)
    net.bn1 = norm(stem)
    net.inplanes = stem
    for stage in range(4):
        layer = net._make_layer(block, width << stage, layers[stage], stride=1 if stage == 0 else 2)
        setattr(net, f"layer{stage + 1}", layer)
    for module in net.modules():
        if isinstance(module, nn.Conv2d):
            nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")
    # FREEZE_AT counts the stem as 1 and res2 as 2.
    for name in ["conv1", "layer1", "layer2", "layer3", "layer4"][:model["BACKBONE"]["FREEZE_AT"]]:
        getattr(net, name).requires_grad_(False)
    channels = [sizes["RES2_OUT_CHANNELS"] << stage for stage in range(4)]
    return BackboneWithFPN(net, {f"layer{k + 1}": str(k) for k in range(4)}, channels, model["FPN"]["OUT_CHANNELS"])


def build_detector(recipe, classes):
    """The detector in training mode. Raises ValueError where the recipe asks for what torchvision has not."""
    for key, wanted in FIXED.items():
        if value(recipe, key) != wanted:
            raise ValueError(f"{key} is {value(recipe, key)}; this comparison knows {wanted!r} only")
    model = recipe["MODEL"]
    rpn, heads, box = model["RPN"], model["ROI_HEADS"], model["ROI_BOX_HEAD"]
    backbone = build_backbone(model)
    levels = len(rpn["IN_FEATURES"])
    sizes = [tuple(s) for s in model["ANCHOR_GENERATOR"]["SIZES"]]
    ratios = [tuple(r) for r in model["ANCHOR_GENERATOR"]["ASPECT_RATIOS"]]
    anchors = AnchorGenerator(sizes * levels if len(sizes) == 1 else sizes,
                              ratios * levels if len(ratios) == 1 else ratios)
    features = [str(k) for k in range(len(heads["IN_FEATURES"]))]
    pooled = box["POOLER_RESOLUTION"]
    detector = FasterRCNN(
        backbone,
        rpn_anchor_generator=anchors,
        rpn_pre_nms_top_n_train=rpn["PRE_NMS_TOPK_TRAIN"],
        rpn_post_nms_top_n_train=rpn["POST_NMS_TOPK_TRAIN"],
        rpn_nms_thresh=rpn["NMS_THRESH"],
        rpn_batch_size_per_image=rpn["BATCH_SIZE_PER_IMAGE"],
        rpn_positive_fraction=rpn["POSITIVE_FRACTION"],
        box_batch_size_per_image=heads["BATCH_SIZE_PER_IMAGE"],
        box_positive_fraction=heads["POSITIVE_FRACTION"],
        box_roi_pool=MultiScaleRoIAlign(features, pooled, max(box["POOLER_SAMPLING_RATIO"], 0)),
        box_head=TwoMLPHead(backbone.out_channels * pooled * pooled, box["FC_DIM"]),
        box_predictor=FastRCNNPredictor(box["FC_DIM"], classes + 1))
    # The images come resized and normalised, as ours do from the loader.
    detector.transform.resize = lambda image, target=None: (image, target)
    detector.transform.normalize = lambda image: image
    return detector.train()


def expected_surplus(recipe):
    """Values that torchvision's box predictor has and ours has not: four boxes of the background class."""
    return 4 * (recipe["MODEL"]["ROI_BOX_HEAD"]["FC_DIM"] + 1)


def trained_values(detector):
    return sum(p.numel() for p in detector.parameters() if p.requires_grad)


class TrainingStep:
    """Forward, backward and SGD update on given batches, one after the other. The learning rate is 0, so that every
    step does the same work (as in `lockstep bench step`)."""

    def __init__(self, detector, batches, solver):
        self.detector = detector
        self.batches = batches
        self.next = 0
        self.optimizer = torch.optim.SGD([p for p in detector.parameters() if p.requires_grad], lr=0.0,
                                         momentum=solver["MOMENTUM"], weight_decay=solver["WEIGHT_DECAY"])

    def __call__(self):
        images, targets = self.batches[self.next % len(self.batches)]
        self.next += 1
        loss = sum(self.detector(images, targets).values())
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        return float(loss)
