(* Comparisons of numbers, by interval arithmetic on integers.

   Floats of pairs of integers, and a precision that is named: then `interval` rests on the axioms
   of the real numbers alone, and not on those of the machine's integers and floats. *)

From Coq Require Import Reals Lra.
From Coquelicot Require Import Rcomplements.
From Interval Require Import Float.Specific_stdz Float.Specific_ops Tactic.
From LogCA Require Import LogCA.

Module IntegerFloats := SpecificFloat StdZRadix2.
Module IntegerIntervals := IntervalTactic IntegerFloats.
Import IntegerIntervals.

Open Scope R_scope.

Ltac compared :=
  unfold Rpower;
  try apply Rlt_gt; try apply Rle_ge;
  first [ lra | interval with (i_prec 64) | interval with (i_prec 400)
        | first [ apply Rminus_lt | apply Rminus_le ]; interval with (i_prec 100) ].

(* The side of a comparison of numbers that holds; the other one is refuted. *)
Ltac decided comparison :=
  let K := fresh in
  destruct comparison as [K | K];
  try (exfalso;
       first [ apply (Rle_not_lt _ _ K) | apply (Rlt_not_le _ _ K) | apply (Rge_not_lt _ _ K)
             | apply (Rgt_not_le _ _ K) | apply K ];
       compared);
  try clear K.

Ltac numbers :=
  try unfold Rmax; try unfold Rmin;
  repeat match goal with
  | |- context [power ?a ?e] => rewrite (power_pos a e) by compared
  end;
  repeat match goal with
  | |- context [Rle_dec ?a ?b] => decided (Rle_dec a b)
  | |- context [Rlt_dec ?a ?b] => decided (Rlt_dec a b)
  | |- context [Rge_dec ?a ?b] => decided (Rge_dec a b)
  | |- context [Rgt_dec ?a ?b] => decided (Rgt_dec a b)
  end;
  compared.

(* A function of one number between two others, on a logarithmic scale. *)
Ltac between x low high :=
  let t := fresh "t" in
  let L := fresh in
  let H := fresh in
  unfold Rpower;
  assert (L : ln low <= ln x) by (apply ln_le; lra);
  assert (H : ln x <= ln high) by (apply ln_le; lra);
  replace x with (exp (ln x)) in |- * by (apply exp_ln; lra);
  rewrite ?ln_exp;
  generalize dependent (ln x); intros t; intros; try apply Rlt_gt; try apply Rle_ge;
  (* `interval` wants a number on one side *)
  first [ apply Rminus_le | apply Rminus_lt ];
  first [ interval with (i_bisect t, i_prec 40) | interval with (i_bisect t, i_taylor t, i_prec 60) ].
