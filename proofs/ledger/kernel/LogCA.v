(* Real powers, roots of the trinomial k*x^b = c + l*x, and tactics: what the ledger's proofs use.
   Everything here is proved; nothing is assumed beyond Coq's real numbers. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.

Open Scope R_scope.

(* A power whose base may be zero: 0 to a positive exponent is 0.  Where the base is negative or
   the exponent of 0 is not positive there is no power, and claims say nothing. *)
Definition power (x y : R) : R := if Rle_dec x 0 then 0 else Rpower x y.

(* The root at which k*x^b comes up to c + l*x from below, and the one after which it stays below. *)
Definition lower_root (k c l b x : R) : Prop :=
  0 < x /\ k * Rpower x b = c + l * x /\ forall y, 0 < y -> y < x -> k * Rpower y b < c + l * y.
Definition upper_root (k c l b x : R) : Prop :=
  0 < x /\ k * Rpower x b = c + l * x /\ forall y, x < y -> k * Rpower y b < c + l * y.

Lemma power_pos : forall x y, 0 < x -> power x y = Rpower x y.
Proof. intros x y H. unfold power. destruct (Rle_dec x 0); [lra | reflexivity]. Qed.

Lemma power_zero : forall y, power 0 y = 0.
Proof. intros y. unfold power. destruct (Rle_dec 0 0); [reflexivity | lra]. Qed.

Lemma power_nonneg : forall x y, 0 <= power x y.
Proof.
  intros x y. unfold power. destruct (Rle_dec x 0); [lra |].
  unfold Rpower. left. apply exp_pos.
Qed.

Lemma Rpower_pos : forall x y, 0 < Rpower x y.
Proof. intros. unfold Rpower. apply exp_pos. Qed.

Lemma Rpower_nonzero : forall x y, Rpower x y <> 0.
Proof. intros. apply Rgt_not_eq. apply Rpower_pos. Qed.

Lemma Rpower_base_one : forall y, Rpower 1 y = 1.
Proof. intros. unfold Rpower. rewrite ln_1, Rmult_0_r. apply exp_0. Qed.

Lemma Rpower_product : forall x y z, 0 < x -> 0 < y -> Rpower (x * y) z = Rpower x z * Rpower y z.
Proof. intros. symmetry. apply Rpower_mult_distr; assumption. Qed.

Lemma Rpower_of_inverse : forall x z, 0 < x -> Rpower (/ x) z = / Rpower x z.
Proof.
  intros x z Hx. unfold Rpower. rewrite ln_Rinv by assumption.
  rewrite <- exp_Ropp. f_equal. ring.
Qed.

Lemma Rpower_quotient : forall x y z, 0 < x -> 0 < y -> Rpower (x / y) z = Rpower x z / Rpower y z.
Proof.
  intros. unfold Rdiv. rewrite Rpower_product.
  - rewrite Rpower_of_inverse by assumption. reflexivity.
  - assumption.
  - apply Rinv_0_lt_compat. assumption.
Qed.

Lemma Rpower_difference : forall x y z, Rpower x (y - z) = Rpower x y / Rpower x z.
Proof.
  intros. unfold Rminus, Rdiv. rewrite Rpower_plus, Rpower_Ropp. reflexivity.
Qed.

Lemma Rpower_nat_base : forall x n z, 0 < x -> Rpower (x ^ n) z = Rpower x z ^ n.
Proof.
  intros x n z Hx. induction n as [| n IH]; simpl.
  - apply Rpower_base_one.
  - rewrite Rpower_product, IH; [reflexivity | assumption | apply pow_lt; assumption].
Qed.

Lemma Rpower_INR_times : forall x n z, Rpower x (INR n * z) = Rpower x z ^ n.
Proof.
  intros. rewrite Rmult_comm, <- Rpower_mult. rewrite Rpower_pow; [reflexivity | apply Rpower_pos].
Qed.

Lemma Rpower_two : forall x, 0 < x -> Rpower x 2 = x ^ 2.
Proof. intros. replace 2 with (INR 2) by (simpl; lra). apply Rpower_pow. assumption. Qed.

Lemma Rpower_three : forall x, 0 < x -> Rpower x 3 = x ^ 3.
Proof. intros. replace 3 with (INR 3) by (simpl; lra). apply Rpower_pow. assumption. Qed.

Lemma Rpower_two_times : forall x z, Rpower x (2 * z) = Rpower x z ^ 2.
Proof. intros. replace 2 with (INR 2) by (simpl; lra). apply Rpower_INR_times. Qed.

Lemma Rpower_three_times : forall x z, Rpower x (3 * z) = Rpower x z ^ 3.
Proof. intros. replace 3 with (INR 3) by (simpl; lra). apply Rpower_INR_times. Qed.

Lemma Rpower_ln : forall x z, ln (Rpower x z) = z * ln x.
Proof. intros. unfold Rpower. apply ln_exp. Qed.

Lemma ln_quotient : forall x y, 0 < x -> 0 < y -> ln (x / y) = ln x - ln y.
Proof.
  intros. unfold Rdiv. rewrite ln_mult.
  - rewrite ln_Rinv by assumption. reflexivity.
  - assumption.
  - apply Rinv_0_lt_compat. assumption.
Qed.

Lemma ln_nat_power : forall x n, 0 < x -> ln (x ^ n) = INR n * ln x.
Proof. intros. rewrite <- Rpower_pow by assumption. apply Rpower_ln. Qed.

Lemma sqrt_as_power : forall x, 0 < x -> sqrt x = Rpower x (/ 2).
Proof. intros. rewrite Rpower_sqrt by assumption. reflexivity. Qed.

(* The order of powers. *)

Lemma Rpower_base_lt : forall x y z, 0 < z -> 0 < x -> x < y -> Rpower x z < Rpower y z.
Proof.
  intros x y z Hz Hx Hxy. unfold Rpower. apply exp_increasing.
  apply Rmult_lt_compat_l; [assumption | apply ln_increasing; assumption].
Qed.

Lemma Rpower_base_falls : forall x y z, z < 0 -> 0 < x -> x < y -> Rpower y z < Rpower x z.
Proof.
  intros x y z Hz Hx Hxy. unfold Rpower. apply exp_increasing.
  assert (ln x < ln y) by (apply ln_increasing; assumption). nra.
Qed.

(* The sign of x - y is that of x^z - y^z for a positive z, the opposite for a negative z. *)
Lemma power_monotone : forall x y z, 0 < x -> 0 < y -> 0 < z ->
  (x < y /\ Rpower x z < Rpower y z) \/ (x = y /\ Rpower x z = Rpower y z)
  \/ (y < x /\ Rpower y z < Rpower x z).
Proof.
  intros x y z Hx Hy Hz. destruct (Rtotal_order x y) as [H | [H | H]].
  - left. split; [assumption | apply Rpower_base_lt; assumption].
  - right. left. subst. split; reflexivity.
  - right. right. split; [assumption | apply Rpower_base_lt; assumption].
Qed.

Lemma power_monotone_down : forall x y z, 0 < x -> 0 < y -> z < 0 ->
  (x < y /\ Rpower y z < Rpower x z) \/ (x = y /\ Rpower x z = Rpower y z)
  \/ (y < x /\ Rpower x z < Rpower y z).
Proof.
  intros x y z Hx Hy Hz. destruct (Rtotal_order x y) as [H | [H | H]].
  - left. split; [assumption | apply Rpower_base_falls; assumption].
  - right. left. subst. split; reflexivity.
  - right. right. split; [assumption | apply Rpower_base_falls; assumption].
Qed.

Lemma power_minus_one : forall x z, 0 < x -> Rpower x (z - 1) = Rpower x z / x.
Proof. intros. rewrite Rpower_difference, Rpower_1 by assumption. reflexivity. Qed.

(* x^z / x against y^z / y, by the sign of z - 1. *)
Lemma power_slope : forall x y z, 0 < x -> 0 < y -> 1 < z ->
  (x < y /\ Rpower x z * y < Rpower y z * x) \/ (x = y /\ Rpower x z * y = Rpower y z * x)
  \/ (y < x /\ Rpower y z * x < Rpower x z * y).
Proof.
  intros x y z Hx Hy Hz. assert (Hw : 0 < z - 1) by lra.
  assert (Ex : Rpower x z = Rpower x (z - 1) * x) by (rewrite power_minus_one by lra; field; lra).
  assert (Ey : Rpower y z = Rpower y (z - 1) * y) by (rewrite power_minus_one by lra; field; lra).
  rewrite Ex, Ey. assert (0 < x * y) by nra.
  destruct (power_monotone x y (z - 1) Hx Hy Hw) as [[H1 H2] | [[H1 H2] | [H1 H2]]].
  - left. split; [assumption | nra].
  - right. left. split; [assumption | rewrite H2; ring].
  - right. right. split; [assumption | nra].
Qed.

Lemma power_slope_down : forall x y z, 0 < x -> 0 < y -> z < 1 ->
  (x < y /\ Rpower y z * x < Rpower x z * y) \/ (x = y /\ Rpower x z * y = Rpower y z * x)
  \/ (y < x /\ Rpower x z * y < Rpower y z * x).
Proof.
  intros x y z Hx Hy Hz. assert (Hw : z - 1 < 0) by lra.
  assert (Ex : Rpower x z = Rpower x (z - 1) * x) by (rewrite power_minus_one by lra; field; lra).
  assert (Ey : Rpower y z = Rpower y (z - 1) * y) by (rewrite power_minus_one by lra; field; lra).
  rewrite Ex, Ey. assert (0 < x * y) by nra.
  destruct (power_monotone_down x y (z - 1) Hx Hy Hw) as [[H1 H2] | [[H1 H2] | [H1 H2]]].
  - left. split; [assumption | nra].
  - right. left. split; [assumption | rewrite H2; ring].
  - right. right. split; [assumption | nra].
Qed.

(* Strict convexity of the exponential function and Bernoulli's inequality for real exponents. *)

Lemma exp_tangent : forall t, t <> 0 -> 1 + t < exp t.
Proof. intros. apply exp_ineq1. assumption. Qed.

Lemma ln_below : forall x, 0 < x -> x <> 1 -> ln x < x - 1.
Proof.
  intros x Hx H1. assert (H : ln x <> 0).
  { intro E. apply H1. rewrite <- (exp_ln x Hx), E. apply exp_0. }
  generalize (exp_tangent (ln x) H). rewrite exp_ln by assumption. lra.
Qed.

Lemma ln_at_most : forall x, 0 < x -> ln x <= x - 1.
Proof.
  intros x Hx. destruct (Req_dec x 1) as [E | N].
  - subst. rewrite ln_1. lra.
  - left. apply ln_below; assumption.
Qed.

(* Weighted means: x^z lies below its tangent in y for exponents below 1, above it for those above. *)
Lemma power_tangent_down : forall x y z, 0 < x -> 0 < y -> 0 < z -> z < 1 -> x <> y ->
  Rpower x z * y < Rpower y z * (y + z * (x - y)).
Proof.
  intros x y z Hx Hy H0 H1 Hn. set (m := y + z * (x - y)).
  assert (Hm : 0 < m) by (unfold m; nra).
  assert (Nx : x <> m) by (unfold m; intro E; apply Hn; nra).
  assert (Qx : 0 < x / m) by (apply Rdiv_lt_0_compat; assumption).
  assert (Qy : 0 < y / m) by (apply Rdiv_lt_0_compat; assumption).
  assert (N1 : x / m <> 1).
  { intro E. apply Nx. replace x with (x / m * m) by (field; lra). rewrite E. ring. }
  generalize (ln_below _ Qx N1) (ln_at_most _ Qy). rewrite !ln_quotient by assumption. intros A B.
  assert (S : z * (x / m - 1) + (1 - z) * (y / m - 1) = 0) by (unfold m; field; fold m; lra).
  assert (K : z * ln x + (1 - z) * ln y < ln m) by nra.
  assert (E : Rpower x z * y / Rpower y z = exp (z * ln x + (1 - z) * ln y)).
  { unfold Rpower, Rdiv. rewrite <- exp_Ropp. rewrite <- (exp_ln y Hy) at 1.
    rewrite <- !exp_plus. f_equal. ring. }
  apply exp_increasing in K. rewrite exp_ln in K by assumption. rewrite <- E in K.
  assert (P : 0 < Rpower y z) by apply Rpower_pos.
  apply (Rmult_lt_compat_l (Rpower y z)) in K; [| assumption].
  replace (Rpower y z * (Rpower x z * y / Rpower y z)) with (Rpower x z * y) in K by (field; lra).
  exact K.
Qed.

Lemma power_tangent : forall x y z, 0 < x -> 0 < y -> 1 < z -> x <> y ->
  Rpower y z * (y + z * (x - y)) < Rpower x z * y.
Proof.
  intros x y z Hx Hy Hz Hn.
  assert (Hi : 0 < / z) by (apply Rinv_0_lt_compat; lra).
  assert (Hj : / z < 1) by (apply (Rmult_lt_reg_r z); [lra |]; rewrite Rinv_l by lra; lra).
  assert (P : 0 < Rpower y z) by apply Rpower_pos.
  assert (Q : 0 < Rpower x z) by apply Rpower_pos.
  assert (R1 : Rpower (Rpower x z) (/ z) = x).
  { rewrite Rpower_mult, Rinv_r by lra. apply Rpower_1. assumption. }
  assert (R2 : Rpower (Rpower y z) (/ z) = y).
  { rewrite Rpower_mult, Rinv_r by lra. apply Rpower_1. assumption. }
  assert (N : Rpower x z <> Rpower y z) by (intro E; apply Hn; rewrite <- R1, <- R2, E; reflexivity).
  generalize (power_tangent_down (Rpower x z) (Rpower y z) (/ z) Q P Hi Hj N). rewrite R1, R2.
  intro H. apply (Rmult_lt_compat_l z) in H; [| lra].
  replace (z * (y * (Rpower y z + / z * (Rpower x z - Rpower y z))))
    with (y * (z * Rpower y z + (Rpower x z - Rpower y z))) in H by (field; lra).
  lra.
Qed.

(* The order of logarithms. *)

Lemma ln_monotone : forall x y, 0 < x -> 0 < y ->
  (x < y /\ ln x < ln y) \/ (x = y /\ ln x = ln y) \/ (y < x /\ ln y < ln x).
Proof.
  intros x y Hx Hy. destruct (Rtotal_order x y) as [H | [H | H]].
  - left. split; [assumption | apply ln_increasing; assumption].
  - right. left. subst. split; reflexivity.
  - right. right. split; [assumption | apply ln_increasing; assumption].
Qed.

Lemma ln_tangent : forall x y, 0 < x -> 0 < y -> x <> y -> y * (ln x - ln y) < x - y.
Proof.
  intros x y Hx Hy Hn. rewrite <- ln_quotient by assumption.
  assert (Q : 0 < x / y) by (apply Rdiv_lt_0_compat; assumption).
  assert (N : x / y <> 1).
  { intro E. apply Hn. replace x with (x / y * y) by (field; lra). rewrite E. ring. }
  generalize (ln_below _ Q N). intro H. apply (Rmult_lt_compat_l y) in H; [| assumption].
  replace (y * (x / y - 1)) with (x - y) in H by (field; lra). exact H.
Qed.

(* Roots of the trinomial. *)

Lemma power_derivative : forall z x, 0 < x ->
  is_derive (fun t => Rpower t z) x (z * Rpower x z / x).
Proof.
  intros z x Hx. unfold Rpower. auto_derive; [assumption | field; lra].
Qed.

Lemma lower_root_pos : forall k c l b x, lower_root k c l b x -> 0 < x.
Proof. intros k c l b x [H _]. exact H. Qed.
Lemma upper_root_pos : forall k c l b x, upper_root k c l b x -> 0 < x.
Proof. intros k c l b x [H _]. exact H. Qed.
Lemma lower_root_eq : forall k c l b x, lower_root k c l b x -> k * Rpower x b = c + l * x.
Proof. intros k c l b x [_ [H _]]. exact H. Qed.
Lemma upper_root_eq : forall k c l b x, upper_root k c l b x -> k * Rpower x b = c + l * x.
Proof. intros k c l b x [_ [H _]]. exact H. Qed.

Lemma lower_root_above : forall k c l x, lower_root k c l 1 x -> l < k.
Proof.
  intros k c l x [Hx [E F]]. rewrite Rpower_1 in E by assumption.
  assert (H : 0 < x / 2 < x) by lra. specialize (F (x / 2) (proj1 H) (proj2 H)).
  rewrite Rpower_1 in F by lra. nra.
Qed.

Lemma lower_root_unique : forall k c l b x y,
  lower_root k c l b x -> lower_root k c l b y -> x = y.
Proof.
  intros k c l b x y [Hx [Ex Fx]] [Hy [Ey Fy]].
  destruct (Rtotal_order x y) as [H | [H | H]].
  - specialize (Fy x Hx H). lra.
  - exact H.
  - specialize (Fx y Hy H). lra.
Qed.

(* The slope of the difference at a root, by the tangents of the power from both sides. *)
Lemma lower_root_slope : forall k c l b x, lower_root k c l b x -> 0 <= b * c + (b - 1) * l * x.
Proof.
  intros k c l b x [Hx [E F]].
  destruct (Rle_lt_dec 0 (b * c + (b - 1) * l * x)) as [H | H]; [exact H | exfalso].
  assert (D : is_derive (fun t => k * Rpower t b - c - l * t) x
                ((b * c + (b - 1) * l * x) / x)).
  { evar_last.
    - apply @is_derive_minus; [apply @is_derive_minus |].
      + apply (is_derive_scal (fun t => Rpower t b) x k). apply power_derivative. exact Hx.
      + apply @is_derive_const.
      + apply (is_derive_scal (fun t : R => t) x l 1). apply @is_derive_id.
    - unfold minus, plus, opp, zero; simpl.
      replace (k * (b * Rpower x b / x)) with (b * (k * Rpower x b) / x) by (field; lra).
      rewrite E. field. lra. }
  apply is_derive_Reals in D.
  assert (N : 0 < - ((b * c + (b - 1) * l * x) / x)).
  { apply Ropp_0_gt_lt_contravar. unfold Rdiv.
    apply (Rmult_lt_reg_r x); [exact Hx |]. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  destruct (D _ N) as [[d Hd] G]. simpl in G.
  set (h := - (Rmin (d / 2) (x / 2))).
  assert (Hm : 0 < Rmin (d / 2) (x / 2)) by (apply Rmin_glb_lt; lra).
  assert (Hm1 := Rmin_l (d / 2) (x / 2)). assert (Hm2 := Rmin_r (d / 2) (x / 2)).
  assert (Hh : h <> 0) by (unfold h; lra).
  assert (Ha : Rabs h < d) by (unfold h; rewrite Rabs_Ropp, Rabs_right by lra; lra).
  specialize (G h Hh Ha). apply Rabs_def2 in G. destruct G as [G _].
  assert (Hy : 0 < x + h) by (unfold h; lra).
  assert (Hy' : x + h < x) by (unfold h; lra).
  specialize (F (x + h) Hy Hy').
  assert (S : (k * Rpower (x + h) b - c - l * (x + h) - (k * Rpower x b - c - l * x)) / h < 0) by lra.
  assert (T : k * Rpower (x + h) b - c - l * (x + h) - (k * Rpower x b - c - l * x) < 0) by lra.
  assert (Hn : h < 0) by (unfold h; lra).
  assert (U : 0 < (k * Rpower (x + h) b - c - l * (x + h) - (k * Rpower x b - c - l * x)) / h).
  { unfold Rdiv. rewrite <- Rmult_opp_opp. apply Rmult_lt_0_compat; [lra |].
    apply Rinv_lt_0_compat in Hn. lra. }
  lra.
Qed.

Lemma upper_root_slope : forall k c l b x, upper_root k c l b x -> b * c + (b - 1) * l * x <= 0.
Proof.
  intros k c l b x [Hx [E F]].
  destruct (Rle_lt_dec (b * c + (b - 1) * l * x) 0) as [H | H]; [exact H | exfalso].
  assert (D : is_derive (fun t => k * Rpower t b - c - l * t) x
                ((b * c + (b - 1) * l * x) / x)).
  { evar_last.
    - apply @is_derive_minus; [apply @is_derive_minus |].
      + apply (is_derive_scal (fun t => Rpower t b) x k). apply power_derivative. exact Hx.
      + apply @is_derive_const.
      + apply (is_derive_scal (fun t : R => t) x l 1). apply @is_derive_id.
    - unfold minus, plus, opp, zero; simpl.
      replace (k * (b * Rpower x b / x)) with (b * (k * Rpower x b) / x) by (field; lra).
      rewrite E. field. lra. }
  apply is_derive_Reals in D.
  assert (N : 0 < (b * c + (b - 1) * l * x) / x) by (apply Rdiv_lt_0_compat; lra).
  destruct (D _ N) as [[d Hd] G]. simpl in G.
  assert (Hh : d / 2 <> 0) by lra.
  assert (Ha : Rabs (d / 2) < d) by (rewrite Rabs_right by lra; lra).
  specialize (G (d / 2) Hh Ha). apply Rabs_def2 in G. destruct G as [_ G].
  assert (Hy : x < x + d / 2) by lra. specialize (F (x + d / 2) Hy).
  assert (S : 0 < (k * Rpower (x + d / 2) b - c - l * (x + d / 2) - (k * Rpower x b - c - l * x)) / (d / 2)) by lra.
  assert (U : 0 < - (k * Rpower (x + d / 2) b - c - l * (x + d / 2) - (k * Rpower x b - c - l * x)) / (d / 2)).
  { apply Rdiv_lt_0_compat; lra. }
  unfold Rdiv in *. lra.
Qed.
