"""Analogies whose four words are each of either language: w1 is to w2 as w3 to w4.

The questions of the paper are not published. These are made of pairs of opposites and counterparts that texts about
programs use in both languages: two pairs make a question, and each of its words stands in either language.
"""

from collections.abc import Sequence
from itertools import permutations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from repline.systems.cjc.parallel_sentences import Vocabulary
from repline.systems.cjc.rates import Means, named, ranks, scores

PAIRS = (  # Chinese word, its counterpart; Japanese word, its counterpart
    ("左", "右", "左", "右"),
    ("上", "下", "上", "下"),
    ("打开", "关闭", "開く", "閉じる"),
    ("开始", "结束", "開始", "終了"),
    ("输入", "输出", "入力", "出力"),
    ("最大", "最小", "最大", "最小"),
    ("水平", "垂直", "水平", "垂直"),
    ("行", "列", "行", "列"),
    ("宽度", "高度", "幅", "高さ"),
    ("添加", "删除", "追加", "削除"),
    ("启用", "禁用", "有効", "無効"),
    ("插入", "移除", "挿入", "除去"),
    ("显示", "隐藏", "表示", "隠す"),
    ("导入", "导出", "インポート", "エクスポート"),
    ("展开", "折叠", "展開", "折りたたむ"),
    ("放大", "缩小", "拡大", "縮小"),
    ("增加", "减少", "増加", "減少"),
    ("升序", "降序", "昇順", "降順"),
    ("页眉", "页脚", "ヘッダー", "フッター"),
    ("横向", "纵向", "横", "縦"),
    ("日期", "时间", "日付", "時刻"),
    ("自动", "手动", "自動", "手動"),
    ("正", "负", "正", "負"),
    ("内", "外", "内", "外"),
    ("真", "假", "真", "偽"),
    ("第一", "最后", "最初", "最後"),
    ("复制", "粘贴", "コピー", "貼り付け"),
    ("旧", "新", "古い", "新しい"),
    ("本地", "远程", "ローカル", "リモート"),
    ("上传", "下载", "アップロード", "ダウンロード"),
    ("大于", "小于", "大きい", "小さい"),
    ("开头", "结尾", "先頭", "末尾"),
    ("安装", "卸载", "インストール", "アンインストール"),
    ("文件", "文件夹", "ファイル", "フォルダー"),
    ("问题", "答案", "質問", "答え"),
    ("北", "南", "北", "南"),
    ("东", "西", "東", "西"),
)
MIXES = 5  # by how many of the four words are of the first language: 0 to 4


class Analogies(NamedTuple):
    """Questions in all mixes of the languages.

    Attributes:
        words: of each question in each mix [q, 16, 4].
        mix: how many of the four words are of the first language [16].
        pairs: the numbers of the two pairs that each question is made of [q, 2].
    """

    words: NDArray[np.int64]
    mix: NDArray[np.int64]
    pairs: NDArray[np.int64]


def questions(vocabulary: Vocabulary, pairs: Sequence[Sequence[str]] = PAIRS, max_pairs: int = 21) -> Analogies:
    """Every ordered pair of pairs, in all 2^4 mixes of the languages.

    Args:
        vocabulary: pairs with a word outside it are left out.
        pairs: see `PAIRS`.
        max_pairs: how many pairs are used at most, the first ones. 21 make 420 questions of 16 mixes.

    Source: Wang et al. 2018, section 5.1.
    """
    numbers = [
        [[first[pair[word]], second[pair[2 + word]]] for word in (0, 1)]  # [word, language]
        for first, second in [vocabulary.numbers()]
        for pair in pairs
        if all(word in first for word in pair[:2]) and all(word in second for word in pair[2:])
    ]
    words_of_pairs = np.array(numbers[:max_pairs], np.int64).reshape(-1, 2, 2)
    asked_pairs = np.array(list(permutations(range(len(words_of_pairs)), 2)), np.int64).reshape(-1, 2)
    bases = words_of_pairs[asked_pairs].reshape(-1, 4, 2)
    languages = np.array(list(product((0, 1), repeat=4)))  # [16, 4]
    return Analogies(bases[:, np.arange(4), languages], (languages == 0).sum(axis=1), asked_pairs)


def question_weights(analogies: Analogies, pair_weights: NDArray[np.int64]) -> NDArray[np.int64]:
    """How often each question counts where its two pairs do so often [R, pairs]: the product [R, q].

    Questions that share a pair are not independent, so resamples draw pairs. A resample that has no question, as when
    all draws are of one pair, is all questions once.
    """
    weights = pair_weights[:, analogies.pairs].prod(axis=2)
    weights[~weights.any(axis=1)] = 1
    return weights


def analogy_scores(analogies: Analogies, vectors: NDArray, n: int, *, exclude: bool) -> NDArray[np.float64]:
    """The scores of w4 by the cosine with v(w2) - v(w1) + v(w3), among the words of its language [q, 5 mixes, 3].

    Args:
        vectors: [n + t, d].
        exclude: the first three words of the question are no candidates; the paper does not say.
    """
    words = analogies.words.reshape(-1, 4)
    w1, w2, w3, w4 = words.T
    targets = vectors[w2] - vectors[w1] + vectors[w3]
    word_scores = np.empty((len(words), 3))
    for low, high in ((0, n), (n, len(vectors))):
        rows = np.flatnonzero((w4 >= low) & (w4 < high))
        asked_words = words[rows, :3].tolist() if exclude else None
        left_out = asked_words and [[word - low for word in three if low <= word < high] for three in asked_words]
        word_scores[rows] = scores(ranks(targets[rows], vectors[low:high], w4[rows] - low, left_out), high - low)
    question_scores = word_scores.reshape(*analogies.words.shape[:2], 3)  # [q, 16, 3]
    return np.stack([question_scores[:, analogies.mix == mix].mean(axis=1) for mix in range(MIXES)], axis=1)


def by_mix(question_scores: NDArray, weights: NDArray[np.int64]) -> dict[str, Means]:
    """The means of `analogy_scores` under weights [R, q]: `mix_0` to `mix_4`, `pure` and `mixed` questions."""
    shares = np.array([1, 4, 6, 4, 1])
    means = {f"mix_{mix}": named(question_scores[:, mix], weights) for mix in range(MIXES)}
    mixed = np.average(question_scores[:, 1:-1], axis=1, weights=shares[1:-1])
    return means | {"mixed": named(mixed, weights), "pure": named(question_scores[:, [0, -1]], weights)}
